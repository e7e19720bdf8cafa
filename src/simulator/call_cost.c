/* The cost is taken before the call, so that a full device is noticed in time, and ends with the context. A body ends
 * by gmt_sim_leave; one that returns earlier has failed, which the next call of the thread finds out.
 */
#include "simulator/call_cost.h"

struct cost {
    int64_t bytes;
    struct gmt_sim_context *context;
};

static _Thread_local struct cost under_way;

static void give(struct gmt_sim_context *context, uint64_t bytes)
{
    /* Its context may have ended meanwhile and given everything back. */
    if (bytes > context->call_costs)
        bytes = context->call_costs;
    context->call_costs -= bytes;
    gmt_sim_device_give(context->device, bytes);
}

void gmt_sim_cost_end(CUresult result)
{
    struct cost cost = under_way;
    if (cost.bytes == 0)
        return;
    under_way.bytes = 0;
    if (cost.bytes > 0 && result != CUDA_SUCCESS)
        give(cost.context, (uint64_t)cost.bytes);
    if (cost.bytes < 0 && result == CUDA_SUCCESS)
        give(cost.context, (uint64_t)-cost.bytes);
}

bool gmt_sim_cost_begin(int64_t bytes)
{
    struct gmt_sim_context *context = bytes ? gmt_sim_current() : NULL;
    if (under_way.bytes == 0 && !context)
        return true;
    gmt_sim_lock();
    gmt_sim_cost_end(CUDA_ERROR_UNKNOWN);
    bool paid = true;
    if (context && context->alive) {
        paid = bytes < 0 || gmt_sim_device_take(context->device, (uint64_t)bytes);
        if (paid)
            under_way = (struct cost){bytes, context};
        if (paid && bytes > 0)
            context->call_costs += (uint64_t)bytes;
    }
    gmt_sim_unlock();
    return paid;
}
