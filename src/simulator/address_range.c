/* Address space by mmap: backed when touched, and left out of core files, as the memory of a real device is. */
#include "simulator/address_range.h"

#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

#include "simulator/heap_arena.h"
#include "simulator/live_block.h"

static void *at(uint64_t address)
{
    return (void *)(uintptr_t)address;
}

/* Maps more than asked and cuts the edges off. */
static void *map(uint64_t bytes, uint64_t alignment, uint64_t hint, int protection, int flags)
{
    if (bytes == 0 || alignment > SIZE_MAX / 2 || bytes > SIZE_MAX - alignment)
        return NULL;
    flags |= MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    char *start = mmap(at(hint), bytes + alignment, protection, flags, -1, 0);
    if (start == MAP_FAILED)
        return NULL;
    uint64_t lead = -(uintptr_t)start & (alignment - 1);
    if (lead > 0)
        munmap(start, lead);
    if (lead < alignment)
        munmap(start + lead + bytes, alignment - lead);
    madvise(start + lead, bytes, MADV_DONTDUMP);
    return start + lead;
}

/* Where the program has unmapped memory that is registered still, the system sees free space. Such a place is passed
 * by, and held meanwhile so that the next try is elsewhere. */
void *gmt_sim_range_map(uint64_t bytes, uint64_t alignment, uint64_t hint, int protection, int flags)
{
    void *range = map(bytes, alignment, hint, protection, flags);
    if (!range || !gmt_sim_block_touching((uintptr_t)range, bytes))
        return range;
    void *elsewhere = gmt_sim_range_map(bytes, alignment, 0, protection, flags);
    munmap(range, bytes);
    return elsewhere;
}

bool gmt_sim_range_show(uint64_t address, uint64_t bytes, int fd, uint64_t offset, int protection)
{
    int flags = MAP_SHARED | MAP_FIXED | MAP_NORESERVE;
    if (mmap(at(address), bytes, protection, flags, fd, (off_t)offset) == MAP_FAILED)
        return false;
    madvise(at(address), bytes, MADV_DONTDUMP);
    return true;
}

bool gmt_sim_range_hide(uint64_t address, uint64_t bytes)
{
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE;
    return mmap(at(address), bytes, PROT_NONE, flags, -1, 0) != MAP_FAILED;
}

void *gmt_sim_range_of_file(uint64_t bytes, uint64_t hint, int fd, uint64_t offset)
{
    void *start = gmt_sim_range_map(bytes, GMT_SIM_CHUNK, hint, PROT_NONE, 0);
    if (!start || gmt_sim_range_show((uintptr_t)start, bytes, fd, offset, PROT_READ | PROT_WRITE))
        return start;
    munmap(start, bytes);
    return NULL;
}

void gmt_sim_range_unmap(uint64_t address, uint64_t bytes)
{
    munmap(at(address), bytes);
}

/* Writing nothing back is a question only: it fails where a page is missing. */
bool gmt_sim_range_is_mapped(uint64_t address, uint64_t bytes)
{
    uint64_t lead = address % (uint64_t)sysconf(_SC_PAGESIZE);
    return msync(at(address - lead), bytes + lead, MS_ASYNC) == 0;
}
