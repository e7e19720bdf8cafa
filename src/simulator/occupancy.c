/* How many blocks of a kernel fit on a multiprocessor: by threads, blocks and shared memory; registers never limit
 * here. */
#include "simulator/code.h"

enum {
    PROCESSORS = 132,
    PROCESSOR_THREADS = 2048,
    PROCESSOR_BLOCKS = 32,
    PROCESSOR_SHARED = 233472,
    BLOCK_THREADS_MAX = 1024,
    BLOCK_SHARED_RESERVED = 1024, /* the system's share of every block's shared memory */
    WARP = 32,
};

static int blocks_that_fit(int threads, size_t shared)
{
    int warps = (threads + WARP - 1) / WARP;
    int by_threads = PROCESSOR_THREADS / WARP / warps;
    int by_shared = (int)(PROCESSOR_SHARED / (shared + BLOCK_SHARED_RESERVED));
    int fit = by_threads < PROCESSOR_BLOCKS ? by_threads : PROCESSOR_BLOCKS;
    return by_shared < fit ? by_shared : fit;
}

GMT_SIM_BODY(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags)
(int *blocks, CUfunction handle, int threads, size_t shared, unsigned int flags)
{
    if (!blocks || threads <= 0 || flags > CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE)
        return CUDA_ERROR_INVALID_VALUE;
    gmt_sim_lock();
    if (!gmt_sim_function_of(handle))
        return gmt_sim_leave(CUDA_ERROR_INVALID_HANDLE);
    *blocks = threads > BLOCK_THREADS_MAX ? 0 : blocks_that_fit(threads, shared);
    return gmt_sim_leave(CUDA_SUCCESS);
}

GMT_SIM_BODY(cuOccupancyMaxActiveBlocksPerMultiprocessor)(int *blocks, CUfunction function, int threads, size_t shared)
{
    return gmt_sim_cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, shared, 0);
}

/* The largest block of those that fill a multiprocessor best. */
static CUresult best_block(int *grid, int *block, CUoccupancyB2DSize shared_of, size_t shared, int limit)
{
    int best = 0, best_threads = 0;
    if (limit <= 0 || limit > BLOCK_THREADS_MAX)
        limit = BLOCK_THREADS_MAX;
    for (int threads = limit / WARP * WARP; threads > 0; threads -= WARP) {
        int fit = blocks_that_fit(threads, shared_of ? shared_of(threads) : shared);
        if (fit * threads > best * best_threads) {
            best = fit;
            best_threads = threads;
        }
    }
    *grid = best * PROCESSORS;
    *block = best_threads;
    return best > 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

GMT_SIM_BODY(cuOccupancyMaxPotentialBlockSizeWithFlags)
(int *grid, int *block, CUfunction handle, CUoccupancyB2DSize shared_of, size_t shared, int limit, unsigned int flags)
{
    if (!grid || !block || flags > CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE)
        return CUDA_ERROR_INVALID_VALUE;
    gmt_sim_lock();
    bool known = gmt_sim_function_of(handle) != NULL;
    gmt_sim_unlock();
    return known ? best_block(grid, block, shared_of, shared, limit) : CUDA_ERROR_INVALID_HANDLE;
}

GMT_SIM_BODY(cuOccupancyMaxPotentialBlockSize)
(int *grid, int *block, CUfunction function, CUoccupancyB2DSize shared_of, size_t shared, int limit)
{
    return gmt_sim_cuOccupancyMaxPotentialBlockSizeWithFlags(grid, block, function, shared_of, shared, limit, 0);
}

GMT_SIM_BODY(cuOccupancyAvailableDynamicSMemPerBlock)(size_t *bytes, CUfunction handle, int blocks, int threads)
{
    if (!bytes || blocks <= 0 || threads <= 0)
        return CUDA_ERROR_INVALID_VALUE;
    gmt_sim_lock();
    if (!gmt_sim_function_of(handle))
        return gmt_sim_leave(CUDA_ERROR_INVALID_HANDLE);
    *bytes = (size_t)(PROCESSOR_SHARED / blocks - BLOCK_SHARED_RESERVED);
    return gmt_sim_leave(CUDA_SUCCESS);
}

GMT_SIM_BODY(cuOccupancyMaxPotentialClusterSize)(int *size, CUfunction handle, const CUlaunchConfig *config)
{
    if (!size || !config)
        return CUDA_ERROR_INVALID_VALUE;
    gmt_sim_lock();
    *size = 8;
    return gmt_sim_leave(gmt_sim_function_of(handle) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE);
}

GMT_SIM_BODY(cuOccupancyMaxActiveClusters)(int *clusters, CUfunction handle, const CUlaunchConfig *config)
{
    if (!clusters || !config)
        return CUDA_ERROR_INVALID_VALUE;
    gmt_sim_lock();
    *clusters = PROCESSORS / 8;
    return gmt_sim_leave(gmt_sim_function_of(handle) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE);
}
