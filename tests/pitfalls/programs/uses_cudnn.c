/* Finds cudnnCreate by link, by handle and in the global scope. */
#include <dlfcn.h>
#include <stdio.h>

int cudnnCreate(void **handle);

int main(void)
{
    void *handle = NULL;
    void *library = dlopen("libcudnn.so.9", RTLD_NOW);
    int (*by_handle)(void **) = (int (*)(void **))dlsym(library, "cudnnCreate");
    int (*by_name)(void **) = (int (*)(void **))dlsym(RTLD_DEFAULT, "cudnnCreate");
    printf("%d", cudnnCreate(&handle));
    printf(" %d", by_handle(&handle));
    printf(" %d %s\n", by_name(&handle), handle ? "handle" : "nothing");
    return 0;
}
