/* Main only waits for the end: late_pool.c's library has the memory. */
#include <stdio.h>

void fill_pool(void);

int main(void)
{
    fill_pool();
    printf("main is over\n");
    return 0;
}
