/* carrier_linked main|before_main|thread SNIPPET: the snippet is part of the program. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "snippet.h"

static void *in_thread(void *name)
{
    run_snippet(name);
    return NULL;
}

__attribute__((constructor)) static void before_main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "before_main") == 0)
        run_snippet(argv[2]);
}

int main(int argc, char **argv)
{
    pthread_t thread;
    if (argc != 3)
        return 2;
    if (strcmp(argv[1], "main") == 0)
        run_snippet(argv[2]);
    if (strcmp(argv[1], "thread") == 0) {
        pthread_create(&thread, NULL, in_thread, argv[2]);
        pthread_join(thread, NULL);
    }
    return 0;
}
