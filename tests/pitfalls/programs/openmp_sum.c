/* A real OpenMP runtime: it looks for a tool with dlsym while it starts. */
#include <stdio.h>

int main(void)
{
    long sum = 0;
#pragma omp parallel for reduction(+ : sum) num_threads(4)
    for (long i = 1; i <= 1000; i++)
        sum += i;
    printf("%ld\n", sum);
    return 0;
}
