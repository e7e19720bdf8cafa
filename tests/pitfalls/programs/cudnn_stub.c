/* libcudnn.so.9 as it is: a stub that looks its own function up in the library with the code, by the same name. */
#include <dlfcn.h>
#include <stddef.h>

int cudnnCreate(void **handle);

int cudnnCreate(void **handle)
{
    void *code = dlopen("libcudnn_graph.so.9", RTLD_NOW | RTLD_LOCAL);
    int (*create)(void **) = code ? (int (*)(void **))dlsym(code, "cudnnCreate") : NULL;
    return create ? create(handle) : 1001;
}
