/* Threads that took something, and what became of them. */
#include "report/model.h"

#include "report/model_build.h"

/* A process that wrote its end looked at its threads then. Of one that did not, only ends are certain: whoever can look
 * at the threads now fills in the rest. */
static enum gmt_taker_state state_of(const struct gmt_process *process, const struct gmt_thread_record *record)
{
    if (record->state == GMT_THREAD_ENDED)
        return GMT_TAKER_ENDED;
    if (record->state == GMT_THREAD_RUNNING && process->view->header.end != GMT_END_RUNNING)
        return GMT_TAKER_ALIVE;
    return GMT_TAKER_UNKNOWN;
}

void gmt_model_takers(struct gmt_process *process, struct gmt_heap *heap)
{
    process->taker_count = (unsigned)process->view->counts[GMT_SECTION_THREADS];
    process->takers = gmt_heap_take(heap, process->taker_count, sizeof *process->takers);
    for (unsigned i = 0; i < process->taker_count; i++) {
        const struct gmt_thread_record *record = gmt_trace_view_thread(process->view, i);
        process->takers[i] = (struct gmt_taker){.id = record->id,
                                                .start_ticks = record->start_ticks,
                                                .name = gmt_trace_view_string(process->view, record->name),
                                                .state = state_of(process, record)};
    }
}

const struct gmt_taker *gmt_model_taker(const struct gmt_process *process, uint32_t index)
{
    return index < process->taker_count ? &process->takers[index] : NULL;
}

void gmt_model_count_takers(struct gmt_process *process)
{
    for (uint64_t i = 0; i < process->view->counts[GMT_SECTION_BLOCKS]; i++) {
        if (process->remains_of_block[i] == GMT_NONE)
            continue;
        const struct gmt_block_record *block = gmt_trace_view_block(process->view, i);
        const struct gmt_taker *taker = gmt_model_taker(process, block->thread);
        enum gmt_taker_state state = taker ? taker->state : GMT_TAKER_UNKNOWN;
        struct gmt_remains *remains = &process->remains[process->remains_of_block[i]];
        remains->takers[state]++;
        ((struct gmt_site *)remains->site)->takers[state]++;
    }
}
