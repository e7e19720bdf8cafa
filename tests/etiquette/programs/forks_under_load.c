/* forks_under_load FORKS: eight threads allocate and free while the first one forks; each child allocates and exits. */
#include <pthread.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "program.h"

static int stop;

static void *allocate(void *argument)
{
    (void)argument;
    CUdeviceptr p;
    use_device();
    while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
        for (int i = 0; i < 50; i++) {
            CU(cuMemAlloc(&p, 64));
            CU(cuMemFree(p));
        }
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL); /* leaves the forking thread some time */
    }
    return NULL;
}

int main(int argc, char **argv)
{
    int forks = argc > 1 ? atoi(argv[1]) : 10;
    int good = 0;
    pthread_t thread[8];
    use_device();
    for (int i = 0; i < 8; i++)
        pthread_create(&thread[i], NULL, allocate, NULL);
    for (int i = 0; i < forks; i++) {
        int status = 0;
        CUdeviceptr p;
        pid_t child = fork();
        if (child == 0) {
            if (i % 10 == 0) {
                use_device();
                CU(cuMemAlloc(&p, 111));
            }
            _exit(7);
        }
        good += waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 7;
    }
    __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
    for (int i = 0; i < 8; i++)
        pthread_join(thread[i], NULL);
    printf("%d of %d children\n", good, forks);
    return 0;
}
