/* A library that the programs load and unload: closed code that takes memory by itself. */
#ifndef GMT_TESTS_CASES_PLUGIN_H
#define GMT_TESTS_CASES_PLUGIN_H

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

struct plugin {
    void *library;
    void (*open_session)(void); /* takes 2 MiB */
    void (*touch_static)(void); /* takes 3 MiB, which the library gives back when it or the program ends */
};

static inline void *plugin_function(void *library, const char *name)
{
    void *function = library ? dlsym(library, name) : NULL;
    if (!function) {
        printf("%s\n", dlerror());
        exit(99);
    }
    return function;
}

/* The library lies where CASES_PLUGIN says. */
static inline struct plugin plugin_load(void)
{
    struct plugin plugin = {.library = dlopen(getenv("CASES_PLUGIN"), RTLD_NOW)};
    plugin.open_session = (void (*)(void))plugin_function(plugin.library, "open_session");
    plugin.touch_static = (void (*)(void))plugin_function(plugin.library, "touch_static");
    return plugin;
}

static inline void plugin_unload(struct plugin *plugin)
{
    if (dlclose(plugin->library) != 0)
        exit(99);
}

#endif
