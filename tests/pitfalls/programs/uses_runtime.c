/* Two blocks through the runtime, one of them freed: 3000 bytes in one block are left. */
#include <stddef.h>
#include <stdio.h>

int cudaMalloc(void **address, size_t bytes);
int cudaFree(void *address);

int main(void)
{
    void *kept = NULL, *freed = NULL;
    printf("%d", cudaMalloc(&kept, 3000));
    printf(" %d", cudaMalloc(&freed, 500));
    printf(" %d\n", cudaFree(freed));
    return 0;
}
