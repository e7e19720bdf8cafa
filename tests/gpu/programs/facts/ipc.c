/* Memory of one process opened in another, by cuIpc* and by pool pointers. */
#include <sys/types.h>
#include <unistd.h>

#include "facts.h"

#define BIG (4 * MIB)

struct offer {
    CUipcMemHandle big, small;
    CUdeviceptr big_at, small_at;
};

static void wait_for(struct peer peer)
{
    char word;
    peer_receive(peer, &word, 1);
}

static void wake(struct peer peer)
{
    peer_send(peer, "", 1, -1);
}

static void tell_range(const char *label, CUdeviceptr at)
{
    CUdeviceptr base = 0;
    size_t size = 0, range = 0;
    CUdeviceptr start = 0;
    CUresult code = drv.cuMemGetAddressRange(&base, &size, at);
    CUresult range_code = drv.cuPointerGetAttribute(&range, CU_POINTER_ATTRIBUTE_RANGE_SIZE, at);
    drv.cuPointerGetAttribute(&start, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, at);
    tell("%s at=%#llx cuMemGetAddressRange=%d base=%#llx size=%zu RANGE_SIZE=%d range=%zu start=%#llx", label, at, code,
         base, size, range_code, range, start);
}

static void export_blocks(struct peer peer)
{
    struct offer offer;
    CUdeviceptr neighbour, own = 0;
    device_open();
    MUST(cuMemAlloc, &offer.big_at, BIG);
    MUST(cuMemAlloc, &neighbour, KIB);
    MUST(cuMemAlloc, &offer.small_at, KIB);
    MUST(cuIpcGetMemHandle, &offer.big, offer.big_at);
    MUST(cuIpcGetMemHandle, &offer.small, offer.small_at);
    SEE("own_handle", cuIpcOpenMemHandle, &own, offer.big, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS);
    tell_range("exporter_small", offer.small_at);
    memory_mark();
    peer_send(peer, &offer, sizeof offer, -1);
    wait_for(peer);
    SEE("exporter_while_open", cuMemFree, offer.big_at);
    memory_tell("exporter_free_while_open");
    wake(peer);
    wait_for(peer);
    memory_tell("exporter_after_close");
    SEE("exporter_twice", cuMemFree, offer.big_at);
}

enum { OPEN_TWICE, FREE_OPENED, OPEN_SMALL };

static void import_twice(struct peer peer, const struct offer *offer)
{
    CUdeviceptr first = 0, second = 0, late = 0;
    SEE("first", cuIpcOpenMemHandle, &first, offer->big, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS);
    memory_tell("open");
    SEE("second", cuIpcOpenMemHandle, &second, offer->big, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS);
    tell("first=%#llx second=%#llx exporter=%#llx", first, second, offer->big_at);
    tell_range("importer_big", first);
    wake(peer);
    wait_for(peer);
    memory_tell("exporter_freed");
    SEE("close_1", cuIpcCloseMemHandle, first);
    memory_tell("close_1");
    SEE("close_2", cuIpcCloseMemHandle, second);
    memory_tell("close_2");
    SEE("close_3", cuIpcCloseMemHandle, first);
    SEE("after_exporters_free", cuIpcOpenMemHandle, &late, offer->big, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS);
    wake(peer);
    wait_for(peer); /* the exporter has said its last line when its end of the socket closes */
}

static void ask_ipc(int what)
{
    struct peer peer = peer_start();
    struct offer offer;
    CUdeviceptr opened = 0;
    if (peer.is_second) {
        export_blocks(peer);
        _exit(0);
    }
    device_open();
    peer_receive(peer, &offer, sizeof offer);
    memory_mark();
    if (what == OPEN_TWICE) {
        import_twice(peer, &offer);
    } else if (what == FREE_OPENED) {
        SEE("opened", cuIpcOpenMemHandle, &opened, offer.big, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS);
        SEE("opened", cuMemFree, opened);
        SEE("opened_then_freed", cuIpcCloseMemHandle, opened);
        SEE("twice", cuIpcCloseMemHandle, opened);
        SEE("again", cuIpcOpenMemHandle, &opened, offer.big, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS);
    } else {
        SEE("small", cuIpcOpenMemHandle, &opened, offer.small, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS);
        tell("exporter=%#llx", offer.small_at);
        tell_range("importer_small", opened);
        memory_tell("open_small");
        SEE("inside", cuIpcCloseMemHandle, opened + 512);
        SEE("small", cuIpcCloseMemHandle, opened);
    }
}

static CUmemoryPool exportable_pool(void)
{
    CUmemPoolProps properties = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                                 .handleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR,
                                 .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = 0}};
    CUmemoryPool pool;
    MUST(cuMemPoolCreate, &pool, &properties);
    return pool;
}

struct pool_offer {
    CUmemPoolPtrExportData block, second;
};

static void export_pool(struct peer peer)
{
    struct pool_offer offer;
    CUdeviceptr block, second;
    int descriptor = -1;
    device_open();
    CUmemoryPool pool = exportable_pool();
    MUST(cuMemAllocFromPoolAsync, &block, BIG, pool, NULL);
    MUST(cuMemAllocFromPoolAsync, &second, BIG, pool, NULL);
    MUST(cuStreamSynchronize, NULL);
    MUST(cuMemPoolExportToShareableHandle, &descriptor, pool, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0);
    MUST(cuMemPoolExportPointer, &offer.block, block);
    MUST(cuMemPoolExportPointer, &offer.second, second);
    peer_send(peer, &offer, sizeof offer, descriptor);
    wait_for(peer);
    SEE("exporter_after_importer", cuMemFreeAsync, block, NULL);
}

static void ask_pool_pointer(int unused)
{
    (void)unused;
    struct peer peer = peer_start();
    struct pool_offer offer;
    if (peer.is_second) {
        export_pool(peer);
        _exit(0);
    }
    device_open();
    int descriptor = peer_receive(peer, &offer, sizeof offer);
    memory_mark();
    CUmemoryPool pool = NULL;
    CUdeviceptr block = 0, again = 0, second = 0, own = 0;
    MUST(cuMemPoolImportFromShareableHandle, &pool, (void *)(intptr_t)descriptor,
         CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0);
    memory_tell("import_pool");
    SEE("first", cuMemPoolImportPointer, &block, pool, &offer.block);
    SEE("again", cuMemPoolImportPointer, &again, pool, &offer.block);
    SEE("second", cuMemPoolImportPointer, &second, pool, &offer.second);
    tell("block=%#llx again=%#llx second=%#llx", block, again, second);
    tell_range("imported", block);
    memory_tell("import_pointer");
    SEE("from_imported_pool", cuMemAllocFromPoolAsync, &own, KIB, pool, NULL);
    SEE("imported", cuMemFreeAsync, block, NULL);
    SEE("imported_twice", cuMemFreeAsync, block, NULL);
    SEE("imported", cuMemFree, second);
    SEE("imported_twice", cuMemFree, second);
    SEE("imported", cuMemPoolDestroy, pool);
    memory_tell("destroy_imported");
    wake(peer);
    wait_for(peer);
}

const struct part ipc_parts[] = {
    {"4.open_twice", ask_ipc, OPEN_TWICE},
    {"4.free_opened", ask_ipc, FREE_OPENED},
    {"4.open_small", ask_ipc, OPEN_SMALL},
    {"15.pool_pointer", ask_pool_pointer, 0},
    {0},
};
