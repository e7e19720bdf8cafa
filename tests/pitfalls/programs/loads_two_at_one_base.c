/* Loads one plug-in, unloads it, loads the other one, and says whether it came to the same base. */
#include <link.h>

#include "program.h"

static uintptr_t leak_in(const char *name, size_t bytes)
{
    void *plugin = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    struct link_map *map = NULL;
    if (!plugin || dlinfo(plugin, RTLD_DI_LINKMAP, &map) != 0)
        exit(3);
    uintptr_t base = map->l_addr;
    void (*leak)(size_t) = (void (*)(size_t))dlsym(plugin, "leak");
    leak(bytes);
    dlclose(plugin);
    return base;
}

int main(void)
{
    use_device();
    int equal = 0;
    uintptr_t first = leak_in("plugin_small_frame.so", 1000);
    equal += first == leak_in("plugin_large_frame.so", 2000);
    equal += first == leak_in("plugin_small_frame.so", 4000);
    printf("%d of 2 at the same base\n", equal);
    return 0;
}
