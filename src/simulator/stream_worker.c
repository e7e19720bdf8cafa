/* The thread of a stream, on which its host functions run. */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#include "simulator/arrivals.h"
#include "simulator/stream.h"
#include "simulator/waiting.h"

struct gmt_sim_host_call {
    struct gmt_sim_host_call *next;
    void (*function)(void *);
    void *argument;
};

/* Runs host functions and ends when there is none. */
static void *work(void *argument)
{
    struct gmt_sim_stream *stream = argument;
    gmt_sim_lock();
    while (stream->first) {
        struct gmt_sim_host_call *call = stream->first;
        stream->first = call->next;
        gmt_sim_unlock();
        gmt_sim_host_function_enter();
        call->function(call->argument);
        gmt_sim_host_function_leave();
        free(call);
        gmt_sim_lock();
        stream->pending--;
        gmt_sim_wake();
    }
    stream->has_worker = false;
    gmt_sim_wake();
    gmt_sim_unlock();
    return NULL;
}

/* No signal of the program is ever handled on such a thread. */
static bool start_worker(struct gmt_sim_stream *stream)
{
    pthread_t thread;
    sigset_t all_signals, old;
    sigfillset(&all_signals);
    pthread_sigmask(SIG_SETMASK, &all_signals, &old);
    bool started = pthread_create(&thread, NULL, work, stream) == 0;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (started)
        pthread_detach(thread);
    return started;
}

CUresult gmt_sim_stream_call(struct gmt_sim_stream *stream, void (*function)(void *), void *argument)
{
    struct gmt_sim_host_call *call = malloc(sizeof *call);
    if (!call)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *call = (struct gmt_sim_host_call){NULL, function, argument};
    if (!stream->has_worker && !start_worker(stream)) {
        free(call);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    stream->has_worker = true;
    if (stream->first)
        stream->last->next = call;
    else
        stream->first = call;
    stream->last = call;
    stream->pending++;
    return CUDA_SUCCESS;
}
