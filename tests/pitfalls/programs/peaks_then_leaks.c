/* Six call sites take much and free it, a seventh takes little and leaks it. */
#include "program.h"

#define TAKE_AND_FREE(megabytes)                                                                                       \
    do {                                                                                                               \
        CUdeviceptr p_;                                                                                                \
        CU(cuMemAlloc(&p_, (size_t)(megabytes) << 20));                                                                \
        CU(cuMemFree(p_));                                                                                             \
    } while (0)

int main(void)
{
    CUdeviceptr p;
    use_device();
    TAKE_AND_FREE(1);
    TAKE_AND_FREE(2);
    TAKE_AND_FREE(3);
    TAKE_AND_FREE(4);
    TAKE_AND_FREE(5);
    TAKE_AND_FREE(6);
    CU(cuMemAlloc(&p, 3000));
    return 0;
}
