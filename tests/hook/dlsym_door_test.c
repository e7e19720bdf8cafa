/* The dlsym door: for every name that is not followed it is as if the tracer were not there. The program has no part in
 * CUDA by itself; it prints what it gets, and the outputs with and without the tracer are compared. */
#include "support/unit_test.h"

#include <dlfcn.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "preloaded.h"

/* Addresses differ from run to run: an object's name and the distance from its start do not. */
static void print_place(const char *what, void *address)
{
    Dl_info info;
    if (!address)
        printf("%s: null\n", what);
    else if (!dladdr(address, &info))
        printf("%s: nowhere\n", what);
    else
        printf("%s: %s+%zu\n", what, info.dli_fname, (size_t)((char *)address - (char *)info.dli_fbase));
}

static void print_text(void)
{
    const char *text = dlerror();
    printf("  dlerror: %s\n", text ? text : "none");
}

static void print_look_up(void *handle, const char *name)
{
    print_place(name, dlsym(handle, name));
    print_text();
}

/* A library that asks for the next definition of its own functions; loaded before another that has them, too. */
static void next_definitions(void)
{
    void *first = dlopen(getenv("GMT_NEXT_FIRST"), RTLD_NOW | RTLD_GLOBAL);
    void *(*next_of)(const char *) = (void *(*)(const char *))dlsym(first, "next_of");
    static const char *const names[] = {"next_of", "shared_by_both", "cuSharedByBoth", "gmt_no_such_name"};
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
        print_place(names[i], next_of(names[i]));
        print_text();
        print_place(names[i], dlsym(RTLD_NEXT, names[i]));
        print_text();
    }
}

static void missing_names(void)
{
    void *libc = dlopen("libc.so.6", RTLD_NOW);
    static const char *const names[] = {"gmt_no_such_name", "cuNoSuchFunction", "cu", "c", "", "cuMemAlloc_v2_"};
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
        print_look_up(RTLD_DEFAULT, names[i]);
        print_look_up(libc, names[i]);
    }
    print_look_up(libc, "cuInit"); /* followed, but not in there */
    print_look_up(libc, "cuMemAlloc_v2");
    print_look_up(libc, "qsort");
    print_look_up(RTLD_DEFAULT, "qsort");
    print_text();
}

/* Followed names, and no driver in the process. The text of dlerror names the tracer as who asked: only its end is the
 * same. */
static void without_a_driver(void)
{
    static const char *const names[] = {"cuInit", "cuMemAlloc_v2", "cuGetProcAddress_v2"};
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
        print_place(names[i], dlsym(RTLD_DEFAULT, names[i]));
        const char *text = dlerror();
        const char *end = text ? strstr(text, "undefined symbol") : NULL;
        printf("  %s\n", end ? end : "no text");
    }
}

/* A driver opened RTLD_LOCAL is found by its handle and not in the default scope. */
static void a_local_driver(void)
{
    void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    printf("opened: %d\n", driver != NULL);
    printf("by handle: %d\n", dlsym(driver, "cuInit") != NULL);
    printf("by default: %d\n", dlsym(RTLD_DEFAULT, "cuInit") != NULL);
    printf("closed: %d\n", dlclose(driver));
}

static void closing_libraries(void)
{
    void *library = dlopen(getenv("GMT_NEXT_FIRST"), RTLD_NOW);
    printf("%d\n", dlclose(library));
    print_text();
    printf("%d\n", dlclose(library) != 0);
    library = dlopen(getenv("GMT_NEXT_FIRST"), RTLD_NOW | RTLD_NOLOAD);
    printf("%d\n", library != NULL);
}

static const struct {
    const char *name;
    void (*inside)(void);
} cases[] = {
    {"next definitions", next_definitions},   {"missing names", missing_names},
    {"without a driver", without_a_driver},   {"a local driver", a_local_driver},
    {"closing libraries", closing_libraries},
};

#define CASES (sizeof cases / sizeof cases[0])

static void the_same_with_and_without(void **state)
{
    static char outputs[3][16384];
    unsigned index = (unsigned)(uintptr_t)*state;
    struct preloaded native = {.native = true, .output = outputs[0], .output_bytes = sizeof outputs[0]};
    struct preloaded traced = {.output = outputs[1], .output_bytes = sizeof outputs[1]};
    struct preloaded off = {.output = outputs[2], .output_bytes = sizeof outputs[2], .options = "off=1"};
    assert_int_equal(preloaded_run(cases[index].name, &native, NULL), 0);
    assert_int_equal(preloaded_run(cases[index].name, &traced, NULL), 0);
    assert_int_equal(preloaded_run(cases[index].name, &off, NULL), 0);
    assert_true(strlen(outputs[0]) > 0);
    assert_string_equal(outputs[1], outputs[0]);
    assert_string_equal(outputs[2], outputs[0]);
}

int main(int argc, char **argv)
{
    struct CMUnitTest tests[CASES];
    for (unsigned i = 0; i < CASES; i++) {
        tests[i] = (struct CMUnitTest){cases[i].name, the_same_with_and_without, NULL, NULL, (void *)(uintptr_t)i};
        if (argc > 1 && strcmp(argv[1], cases[i].name) == 0) {
            cases[i].inside();
            return 0;
        }
    }
    return argc > 1 ? 2 : cmocka_run_group_tests(tests, NULL, NULL);
}
