/* Two threads each make one piece of physical memory, at the same time, through a driver that was loaded by hand. */
#include <pthread.h>

#include "program.h"

static void *driver;
static CUresult (*create)(CUmemGenericAllocationHandle *, size_t, const CUmemAllocationProp *, unsigned long long);

static void *allocate(void *argument)
{
    CUmemAllocationProp properties = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                      .location.type = CU_MEM_LOCATION_TYPE_DEVICE};
    CUmemGenericAllocationHandle handle;
    CU(create(&handle, (size_t)2 << 20, &properties, 0));
    return argument;
}

int main(void)
{
    pthread_t thread[2];
    driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    CUresult (*init)(unsigned) = (CUresult(*)(unsigned))dlsym(driver, "cuInit");
    create = (CUresult(*)(CUmemGenericAllocationHandle *, size_t, const CUmemAllocationProp *,
                          unsigned long long))dlsym(driver, "cuMemCreate");
    CU(init(0));
    for (int i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, allocate, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    printf("both returned\n");
    return 0;
}
