/* Knows nothing of CUDA and loads a plug-in RTLD_LOCAL that does. */
#include <dlfcn.h>
#include <stdio.h>

int main(void)
{
    void *plugin = dlopen("plugin_with_driver.so", RTLD_NOW | RTLD_LOCAL);
    if (!plugin) {
        printf("%s\n", dlerror());
        return 1;
    }
    int (*use)(void) = (int (*)(void))dlsym(plugin, "use_plugin");
    printf("default scope of the program: %s\n", dlsym(RTLD_DEFAULT, "cuMemAlloc_v2") ? "there" : "missing");
    return use();
}
