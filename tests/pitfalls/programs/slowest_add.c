/* slowest_add BLOCKS: keeps that many blocks and tells the slowest of the calls, and the blocks past the device's
 * memory that failed. */
#include <time.h>

#include "program.h"

static long nanoseconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000 + t.tv_nsec;
}

int main(int argc, char **argv)
{
    long blocks = argc > 1 ? atol(argv[1]) : 1000;
    long slowest = 0, slow = 0;
    CUdeviceptr p;
    use_device();
    CU(cuMemAlloc(&p, 16));
    for (long i = 1; i < blocks; i++) {
        long before = nanoseconds();
        CU(cuMemAlloc(&p, 16));
        long took = nanoseconds() - before;
        slowest = took > slowest ? took : slowest;
        slow += took > 20000000;
    }
    printf("slowest %ld ns, %ld above 20 ms\n", slowest, slow);
    return 0;
}
