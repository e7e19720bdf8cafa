/* Virtual memory management: handles, ranges, export by descriptor, external memory. */
#include <unistd.h>

#include "facts.h"

#define BIG (64 * MIB)
#define PAGE (2 * MIB)

typedef CUmemGenericAllocationHandle handle_t;

CUmemAllocationProp vmm_properties(int exportable)
{
    return (CUmemAllocationProp){.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                 .requestedHandleTypes =
                                     exportable ? CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR : CU_MEM_HANDLE_TYPE_NONE,
                                 .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = 0}};
}

CUmemAccessDesc vmm_access(void)
{
    return (CUmemAccessDesc){.location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = 0},
                             .flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
}

static handle_t create(size_t size, int exportable)
{
    CUmemAllocationProp properties = vmm_properties(exportable);
    handle_t handle = 0;
    MUST(cuMemCreate, &handle, size, &properties, 0);
    return handle;
}

static CUdeviceptr reserve(size_t size)
{
    CUdeviceptr address = 0;
    MUST(cuMemAddressReserve, &address, size, 0, 0, 0);
    return address;
}

static void map(CUdeviceptr address, size_t size, handle_t handle)
{
    MUST(cuMemMap, address, size, 0, handle, 0);
}

static void give_access(const char *label, CUdeviceptr address, size_t size)
{
    CUmemAccessDesc access = vmm_access();
    SEE(label, cuMemSetAccess, address, size, &access, 1);
}

static handle_t retain(const char *label, CUdeviceptr address)
{
    handle_t handle = 0;
    CUresult code = drv.cuMemRetainAllocationHandle(&handle, (void *)(uintptr_t)address);
    tell("%s cuMemRetainAllocationHandle=%d handle=%#llx", label, code, handle);
    return handle;
}

static void ask_handles(int unused)
{
    (void)unused;
    device_open();
    size_t granularity = 0;
    CUmemAllocationProp properties = vmm_properties(0);
    drv.cuMemGetAllocationGranularity(&granularity, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
    handle_t first = create(PAGE, 0), second = create(PAGE, 0), third = create(PAGE, 0);
    tell("granularity=%zu first=%#llx second=%#llx third=%#llx", granularity, first, second, third);
    CUdeviceptr address = reserve(PAGE);
    map(address, PAGE, first);
    tell("address=%#llx", address);
    tell("retained_is_same=%d", retain("mapped", address) == first);
    SEE("second_reference", cuMemRelease, first);
    SEE("last_reference", cuMemRelease, first);
    handle_t next = create(PAGE, 0);
    tell("created_after_release=%#llx is_same=%d", next, next == first);
    handle_t again = retain("released_but_mapped", address);
    tell("is_first=%d is_new=%d", again == first, again == next);
    tell("created_then=%#llx", create(PAGE, 0));
    SEE("retained_again", cuMemRelease, again);
    SEE("end", cuMemUnmap, address, PAGE);
    retain("unmapped", address);
    SEE("end", cuMemAddressFree, address, PAGE);
}

static void ask_memory(int unused)
{
    (void)unused;
    device_open();
    handle_t handle = create(BIG, 0);
    memory_tell("create");
    CUdeviceptr address = reserve(BIG);
    memory_tell("reserve");
    map(address, BIG, handle);
    memory_tell("map");
    give_access("access", address, BIG);
    memory_tell("access");
    SEE("mapped", cuMemRelease, handle);
    memory_tell("release_while_mapped");
    SEE("end", cuMemUnmap, address, BIG);
    memory_tell("unmap");
    SEE("end", cuMemAddressFree, address, BIG);
    memory_tell("address_free");
}

#define MAPPED 1
#define RELEASE 2

static void ask_reset(int how)
{
    device_open();
    CUdeviceptr address = 0;
    handle_t handle = create(BIG, 0);
    if (how & MAPPED) {
        address = reserve(BIG);
        map(address, BIG, handle);
        give_access("mapped", address, BIG);
    }
    tell("before taken=%lld", memory_taken());
    device_reopen(how & RELEASE);
    tell("after taken=%lld", memory_taken());
    if (how & MAPPED) {
        retain("after", address);
        SEE("after", cuMemUnmap, address, BIG);
        tell("unmap taken=%lld", memory_taken());
        SEE("after", cuMemAddressFree, address, BIG);
    }
    SEE("after", cuMemRelease, handle);
    tell("release taken=%lld", memory_taken());
}

/* Two neighbouring mappings of two pages each in a reservation of eight; the rest is a hole. */
static CUdeviceptr map_two(void)
{
    device_open();
    CUdeviceptr address = reserve(8 * PAGE);
    map(address, 2 * PAGE, create(2 * PAGE, 0));
    map(address + 2 * PAGE, 2 * PAGE, create(2 * PAGE, 0));
    memory_mark();
    return address;
}

enum {
    UNMAP_BOTH,
    UNMAP_HALF,
    UNMAP_ONE_AND_HALF,
    UNMAP_HOLE,
    UNMAP_NEVER,
    UNMAP_TWICE,
    FREE_MAPPED,
    FREE_HALF,
    ACCESS_BOTH,
    ACCESS_HOLE,
    MAP_OVER
};

static void ask_ranges(int what)
{
    CUdeviceptr at = map_two();
    CUmemAccessDesc access = vmm_access();
    switch (what) {
    case UNMAP_BOTH:
        SEE("two_adjacent", cuMemUnmap, at, 4 * PAGE);
        break;
    case UNMAP_HALF:
        SEE("first_half", cuMemUnmap, at, PAGE);
        SEE("second_half", cuMemUnmap, at + PAGE, PAGE);
        break;
    case UNMAP_ONE_AND_HALF:
        SEE("one_and_a_half", cuMemUnmap, at, 3 * PAGE);
        SEE("then_both", cuMemUnmap, at, 4 * PAGE);
        break;
    case UNMAP_HOLE:
        SEE("hole_at_the_end", cuMemUnmap, at, 6 * PAGE);
        SEE("then_both", cuMemUnmap, at, 4 * PAGE);
        break;
    case UNMAP_NEVER:
        SEE("never_mapped", cuMemUnmap, at + 4 * PAGE, PAGE);
        SEE("never_reserved", cuMemUnmap, (CUdeviceptr)PAGE, PAGE);
        break;
    case UNMAP_TWICE:
        SEE("first", cuMemUnmap, at, 2 * PAGE);
        SEE("second", cuMemUnmap, at, 2 * PAGE);
        break;
    case FREE_MAPPED:
        SEE("mapped", cuMemAddressFree, at, 8 * PAGE);
        SEE("then_both", cuMemUnmap, at, 4 * PAGE);
        SEE("unmapped", cuMemAddressFree, at, 8 * PAGE);
        SEE("twice", cuMemAddressFree, at, 8 * PAGE);
        break;
    case FREE_HALF:
        SEE("first", cuMemUnmap, at, 4 * PAGE);
        SEE("first_half", cuMemAddressFree, at, 4 * PAGE);
        SEE("second_half", cuMemAddressFree, at + 4 * PAGE, 4 * PAGE);
        SEE("whole", cuMemAddressFree, at, 8 * PAGE);
        break;
    case ACCESS_BOTH:
        SEE("two_adjacent", cuMemSetAccess, at, 4 * PAGE, &access, 1);
        break;
    case ACCESS_HOLE:
        SEE("hole_at_the_end", cuMemSetAccess, at, 6 * PAGE, &access, 1);
        SEE("half", cuMemSetAccess, at, PAGE, &access, 1);
        break;
    case MAP_OVER:
        SEE("over_a_mapping", cuMemMap, at, 2 * PAGE, 0, create(2 * PAGE, 0), 0);
        break;
    }
    tell("taken=%lld", memory_taken());
}

static void ask_offset(int unused)
{
    (void)unused;
    device_open();
    CUdeviceptr at = reserve(8 * PAGE);
    handle_t handle = create(4 * PAGE, 0);
    SEE("offset", cuMemMap, at, PAGE, PAGE, handle, 0);
    SEE("part_of_handle", cuMemMap, at + PAGE, PAGE, 0, handle, 0);
    SEE("handle_mapped_twice", cuMemMap, at + 4 * PAGE, 4 * PAGE, 0, handle, 0);
    SEE("larger_than_handle", cuMemMap, at, 8 * PAGE, 0, handle, 0);
}

static void ask_release_zero(int unused)
{
    (void)unused;
    device_open();
    SEE("zero", cuMemRelease, 0);
}

static void ask_release_garbage(int unused)
{
    (void)unused;
    device_open();
    SEE("garbage", cuMemRelease, 0x12345);
}

static void ask_release_dead(int unused)
{
    (void)unused;
    device_open();
    handle_t handle = create(PAGE, 0);
    SEE("live", cuMemRelease, handle);
    SEE("dead", cuMemRelease, handle);
}

static int export(handle_t handle)
{
    int descriptor = -1;
    MUST(cuMemExportToShareableHandle, &descriptor, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0);
    return descriptor;
}

static void tell_properties(const char *label, handle_t handle)
{
    CUmemAllocationProp properties = {0};
    CUresult code = drv.cuMemGetAllocationPropertiesFromHandle(&properties, handle);
    tell("%s cuMemGetAllocationPropertiesFromHandle=%d type=%d location=%d id=%d handle_types=%d", label, code,
         properties.type, properties.location.type, properties.location.id, properties.requestedHandleTypes);
}

static void ask_export(int unused)
{
    (void)unused;
    device_open();
    handle_t handle = create(BIG, 1), imported = 0, second = 0;
    memory_tell("create");
    int descriptor = export(handle);
    memory_tell("export");
    SEE("once", cuMemImportFromShareableHandle, &imported, (void *)(intptr_t)descriptor,
        CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
    SEE("again", cuMemImportFromShareableHandle, &second, (void *)(intptr_t)descriptor,
        CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
    tell("handle=%#llx imported=%#llx again=%#llx", handle, imported, second);
    memory_tell("import");
    tell_properties("created", handle);
    tell_properties("imported", imported);
    SEE("created", cuMemRelease, handle);
    memory_tell("release_created");
    SEE("imported", cuMemRelease, imported);
    memory_tell("release_imported");
    SEE("imported_again", cuMemRelease, second);
    memory_tell("release_imported_again");
    close(descriptor);
    memory_tell("close_descriptor");
    SEE("one_too_many", cuMemRelease, handle);
}

static void ask_external(int unused)
{
    (void)unused;
    device_open();
    handle_t handle = create(BIG, 1);
    memory_tell("create");
    CUDA_EXTERNAL_MEMORY_HANDLE_DESC source = {
        .type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD, .handle.fd = export(handle), .size = BIG};
    CUDA_EXTERNAL_MEMORY_BUFFER_DESC whole = {.offset = 0, .size = BIG};
    CUexternalMemory external = NULL;
    CUdeviceptr buffer = 0, second = 0;
    must("cuImportExternalMemory", SEE("plain", cuImportExternalMemory, &external, &source));
    memory_tell("import");
    SEE("first", cuExternalMemoryGetMappedBuffer, &buffer, external, &whole);
    SEE("second", cuExternalMemoryGetMappedBuffer, &second, external, &whole);
    tell("external=%p buffer=%#llx second=%#llx", (void *)external, buffer, second);
    memory_tell("mapped");
    SEE("buffer", cuMemFree, buffer);
    SEE("buffer_twice", cuMemFree, buffer);
    memory_tell("free");
    SEE("created", cuMemRelease, handle);
    memory_tell("release");
    SEE("buffer_still_mapped", cuDestroyExternalMemory, external);
    memory_tell("destroy");
    SEE("after_destroy", cuMemFree, second);
    memory_tell("free_after_destroy");
    SEE("twice", cuDestroyExternalMemory, external);
}

static void ask_failures(int unused)
{
    (void)unused;
    device_open();
    CUmemAllocationProp properties = vmm_properties(0);
    handle_t handle = 0x1234;
    CUdeviceptr address = 0x1234;
    CUarray array = (CUarray)0x1234;
    CUDA_ARRAY3D_DESCRIPTOR shape = {
        .Width = 16384, .Height = 16384, .Depth = 16384, .Format = CU_AD_FORMAT_FLOAT, .NumChannels = 4};
    SEE("1_TiB", cuMemCreate, &handle, 1024 * GIB, &properties, 0);
    tell("handle_after=%#llx", handle);
    SEE("odd_size", cuMemCreate, &handle, PAGE + 1, &properties, 0);
    tell("handle_after=%#llx", handle);
    SEE("64_TiB", cuArray3DCreate, &array, &shape);
    tell("array_after=%p", (void *)array);
    shape.Width = 1 << 20;
    SEE("too_wide", cuArray3DCreate, &array, &shape);
    tell("array_after=%p", (void *)array);
    SEE("1_TiB", cuMemAllocAsync, &address, 1024 * GIB, NULL);
    tell("address_after=%#llx", address);
    address = 0x1234;
    SEE("odd_size", cuMemAddressReserve, &address, PAGE + 1, 0, 0, 0);
    tell("address_after=%#llx", address);
    address = 0x1234;
    SEE("too_large", cuMemAddressReserve, &address, (size_t)1 << 60, 0, 0, 0);
    tell("address_after=%#llx", address);
}

const struct part vmm_parts[] = {
    {"1.handles", ask_handles, 0},
    {"1.memory", ask_memory, 0},
    {"2.reset_handle_only", ask_reset, 0},
    {"2.reset_mapped", ask_reset, MAPPED},
    {"2.release_handle_only", ask_reset, RELEASE},
    {"2.release_mapped", ask_reset, RELEASE | MAPPED},
    {"3.unmap_both", ask_ranges, UNMAP_BOTH},
    {"3.unmap_half", ask_ranges, UNMAP_HALF},
    {"3.unmap_one_and_half", ask_ranges, UNMAP_ONE_AND_HALF},
    {"3.unmap_hole", ask_ranges, UNMAP_HOLE},
    {"3.unmap_never", ask_ranges, UNMAP_NEVER},
    {"3.unmap_twice", ask_ranges, UNMAP_TWICE},
    {"3.free_mapped", ask_ranges, FREE_MAPPED},
    {"3.free_half", ask_ranges, FREE_HALF},
    {"3.access_both", ask_ranges, ACCESS_BOTH},
    {"3.access_hole", ask_ranges, ACCESS_HOLE},
    {"3.map_over", ask_ranges, MAP_OVER},
    {"3.map_offset", ask_offset, 0},
    {"3.release_zero", ask_release_zero, 0},
    {"3.release_garbage", ask_release_garbage, 0},
    {"3.release_dead", ask_release_dead, 0},
    {"5.export", ask_export, 0},
    {"14.external", ask_external, 0},
    {"18.failures", ask_failures, 0},
    {0},
};
