/* Uses malloc, which uses the driver (malloc_uses_driver.c). */
#include <stdio.h>
#include <stdlib.h>

extern volatile int malloc_may_use_driver; /* the compiler takes malloc for a function that reads no variable */

int main(void)
{
    static char buffer[256];
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    malloc_may_use_driver = 1;
    void *volatile kept[50];
    for (int i = 0; i < 50; i++)
        kept[i] = malloc(100);
    malloc_may_use_driver = 0;
    for (int i = 0; i < 50; i++)
        free(kept[i]);
    printf("done\n");
    return 0;
}
