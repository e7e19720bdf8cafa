/* What dlsym finds, as "name: object", with the text of dlerror where it finds nothing; and an allocation through a
 * pointer that it gave. */
#include "program.h"

#include <stddef.h>
#include <string.h>

static void print_place(const char *what, void *address)
{
    Dl_info info;
    if (!address) {
        const char *text = dlerror();
        const char *end = text ? strstr(text, "undefined symbol") : NULL;
        printf("%s: nothing; %s\n", what, end ? end : "no text");
    } else if (dladdr(address, &info)) {
        const char *slash = strrchr(info.dli_fname, '/');
        printf("%s: %s\n", what, slash ? slash + 1 : info.dli_fname);
    } else {
        printf("%s: nowhere\n", what);
    }
}

static void *open_or_end(const char *name, int flags)
{
    void *handle = dlopen(name, flags);
    if (!handle) {
        puts(dlerror());
        exit(1);
    }
    return handle;
}

int main(void)
{
    print_place("default qsort", dlsym(RTLD_DEFAULT, "qsort"));
    print_place("next qsort", dlsym(RTLD_NEXT, "qsort"));
    print_place("default missing", dlsym(RTLD_DEFAULT, "gmt_no_such_name"));
    print_place("next missing", dlsym(RTLD_NEXT, "gmt_no_such_name"));
    print_place("default cuMemAlloc_v2 without a driver", dlsym(RTLD_DEFAULT, "cuMemAlloc_v2"));

    /* A library's own next: the one that it was loaded before. */
    void *first = open_or_end("next_first.so", RTLD_NOW | RTLD_GLOBAL);
    void *(*next_of)(const char *) = (void *(*)(const char *))dlsym(first, "next_of");
    print_place("next_of", (void *)next_of);
    print_place("a library's next shared_by_both", next_of("shared_by_both"));
    print_place("a library's next missing", next_of("gmt_no_such_name"));

    void *driver = open_or_end("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    print_place("handle cuMemAlloc_v2", dlsym(driver, "cuMemAlloc_v2"));
    print_place("handle cuNoSuchFunction", dlsym(driver, "cuNoSuchFunction"));
    print_place("default cuMemAlloc_v2 with a local driver", dlsym(RTLD_DEFAULT, "cuMemAlloc_v2"));
    open_or_end("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL);
    print_place("default cuMemAlloc_v2 with a driver", dlsym(RTLD_DEFAULT, "cuMemAlloc_v2"));

    CUcontext context;
    CUdeviceptr block;
    CU(((CUresult(*)(unsigned))dlsym(driver, "cuInit"))(0));
    CU(((CUresult(*)(CUcontext *, CUdevice))dlsym(driver, "cuDevicePrimaryCtxRetain"))(&context, 0));
    CU(((CUresult(*)(CUcontext))dlsym(driver, "cuCtxSetCurrent"))(context));
    CU(((CUresult(*)(CUdeviceptr *, size_t))dlsym(driver, "cuMemAlloc_v2"))(&block, 12345));
    puts("done");
    return 0;
}
