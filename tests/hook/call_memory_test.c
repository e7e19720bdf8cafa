/* Virtual memory, exports, imports and variables by calls. */
#include "hooked_case.h"

static CUmemGenericAllocationHandle create(uint64_t handle, CUmemLocationType type, int id)
{
    CUmemAllocationProp properties = {.location = {.type = type, .id = id}};
    CUmemGenericAllocationHandle memory = 0;
    table_driver_set_address(handle);
    EXPECT(cuMemCreate(&memory, 4096, &properties, 0) == CUDA_SUCCESS && memory == handle);
    return memory;
}

static void physical_memory_is_where_it_was_asked_for(void)
{
    open_trace();
    create(0x71, CU_MEM_LOCATION_TYPE_DEVICE, 2);
    create(0x72, CU_MEM_LOCATION_TYPE_HOST, 0);
    create(0x73, CU_MEM_LOCATION_TYPE_HOST_NUMA, 1);
    EXPECT(site_of(live(0x71))->device == 2 && site_of(live(0x71))->kind == GMT_KIND_PHYSICAL);
    EXPECT(site_of(live(0x72))->kind == GMT_KIND_PHYSICAL_HOST);
    EXPECT(site_of(live(0x73))->kind == GMT_KIND_PHYSICAL_HOST);
    EXPECT(trace_reader_DEVICES(trace)[2].state == 1);
}

static void memory_lives_by_handle_or_by_mapping(void)
{
    open_trace();
    CUmemGenericAllocationHandle memory = create(0x71, CU_MEM_LOCATION_TYPE_DEVICE, 0);
    EXPECT(cuMemMap(0x100000, 4096, 0, memory, 0) == CUDA_SUCCESS);
    EXPECT(live(0x71)->mappings == 1 && live(0x100000)->bytes == 4096);
    EXPECT(cuMemSetAccess(0x100000, 4096, NULL, 0) == CUDA_SUCCESS);
    EXPECT(live(0x100000)->flags == GMT_BLOCK_ACCESSIBLE);
    EXPECT(cuMemRelease(memory) == CUDA_SUCCESS);
    EXPECT(live(0x71)->state == GMT_BLOCK_LIVE && live(0x71)->references == 0);
    table_driver_plan("cuMemRelease", CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemRelease(memory) == CUDA_ERROR_INVALID_VALUE);
    EXPECT(failure(0)->kind == GMT_FAILURE_DOUBLE && failure(0)->near_address == 0x71);
    table_driver_plan("cuMemUnmap", CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemUnmap(0x100000, 4096) == CUDA_ERROR_INVALID_VALUE);
    EXPECT(live(0x100000)->state == GMT_BLOCK_LIVE && failure(1)->last_bytes == 0);
    table_driver_plan("cuMemUnmap", CUDA_SUCCESS);
    EXPECT(cuMemUnmap(0x100000, 4096) == CUDA_SUCCESS);
    EXPECT(!trace_live_block(trace, 0x71) && !trace_live_block(trace, 0x100000));
}

static void an_import_is_closed_as_often_as_it_was_opened(void)
{
    open_trace();
    CUipcMemHandle handle = {{0}};
    CUdeviceptr block = 0;
    table_driver_set_address(0x30000000);
    EXPECT(cuIpcOpenMemHandle_v2(&block, handle, 1) == CUDA_SUCCESS);
    EXPECT(cuIpcOpenMemHandle_v2(&block, handle, 1) == CUDA_SUCCESS);
    EXPECT(live(0x30000000)->references == 2 && live(0x30000000)->bytes == 8192);
    EXPECT(trace->next_sequence == 1);
    EXPECT(cuIpcCloseMemHandle(block) == CUDA_SUCCESS);
    EXPECT(live(0x30000000)->references == 1 && failures() == 0);
    EXPECT(cuIpcCloseMemHandle(block) == CUDA_SUCCESS);
    EXPECT(!trace_live_block(trace, 0x30000000) && failures() == 0);
}

static void a_free_of_what_was_exported_is_noted(void)
{
    open_trace();
    CUipcMemHandle handle;
    allocate(0x30000000, 100);
    EXPECT(cuIpcGetMemHandle(&handle, 0x30000000) == CUDA_SUCCESS);
    EXPECT(live(0x30000000)->flags == GMT_BLOCK_EXPORTED && live(0x30000000)->note_stack != GMT_NONE);
    uint32_t exported_by = live(0x30000000)->note_stack;
    EXPECT(cuMemFree_v2(0x30000000) == CUDA_SUCCESS);
    EXPECT(failures() == 1 && failure(0)->kind == GMT_FAILURE_EXPORTED && failure(0)->code == 0);
    EXPECT(failure(0)->near_stack == exported_by && failure(0)->near_bytes == 100);
}

static void a_variable_is_part_of_its_module(void)
{
    open_trace();
    CUmodule module = NULL;
    CUlibrary library = NULL;
    CUdeviceptr place = 0;
    size_t bytes = 0;
    table_driver_set_address(0x3000);
    EXPECT(cuModuleLoadData(&module, NULL) == CUDA_SUCCESS);
    EXPECT(cuLibraryLoadData(&library, NULL, NULL, NULL, 0, NULL, NULL, 0) == CUDA_SUCCESS);
    table_driver_set_address(0x40000000);
    EXPECT(cuModuleGetGlobal_v2(&place, &bytes, module, "x") == CUDA_SUCCESS);
    EXPECT(cuModuleGetGlobal_v2(&place, NULL, module, "x") == CUDA_SUCCESS);
    EXPECT(live(0x40000000)->bytes == 48 && trace->next_sequence == 3);
    table_driver_set_address(0x50000000);
    EXPECT(cuModuleGetGlobal_v2(&place, NULL, module, "y") == CUDA_SUCCESS);
    EXPECT(live(0x50000000)->bytes == 8192); /* as the driver knows the range */
    table_driver_set_address(0x60000000);
    EXPECT(cuModuleGetGlobal_v2(NULL, &bytes, module, "z") == CUDA_SUCCESS);
    EXPECT(!trace_live_block(trace, 0x60000000)); /* a question for the size alone */
    EXPECT(cuLibraryGetManaged(&place, &bytes, library, "m") == CUDA_SUCCESS);
    EXPECT(site_of(live(0x60000000))->kind == GMT_KIND_MANAGED_VARIABLE);
    EXPECT(cuModuleUnload(module) == CUDA_SUCCESS);
    EXPECT(!trace_live_block(trace, 0x40000000) && !trace_live_block(trace, 0x50000000));
    EXPECT(live(0x60000000)->bytes == 48);
    EXPECT(cuLibraryUnload(library) == CUDA_SUCCESS);
    EXPECT(!trace_live_block(trace, 0x60000000) && failures() == 0);
}

/* Descriptors that are NULL, in calls that fail: nothing of them is read. */
static void what_the_driver_refused_is_not_read(void)
{
    open_trace();
    static const char *const names[] = {
        "cuArrayCreate_v2", "cuArray3DCreate_v2", "cuMipmappedArrayCreate", "cuImportExternalMemory",
        "cuMemCreate",      "cuMemPoolCreate",    "cuGraphAddMemAllocNode", "cuExternalMemoryGetMappedBuffer"};
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++)
        table_driver_plan(names[i], CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuArrayCreate_v2(NULL, NULL) == CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuArray3DCreate_v2(NULL, NULL) == CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMipmappedArrayCreate(NULL, NULL, 3) == CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuImportExternalMemory(NULL, NULL) == CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemCreate(NULL, 1, NULL, 0) == CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemPoolCreate(NULL, NULL) == CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuGraphAddMemAllocNode(NULL, NULL, NULL, 0, NULL) == CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuExternalMemoryGetMappedBuffer(NULL, NULL, NULL) == CUDA_ERROR_INVALID_VALUE);
    EXPECT(failures() == 8);
}

static const struct hooked_case cases[] = {
    {"physical memory is where it was asked for", physical_memory_is_where_it_was_asked_for, {0}, 1},
    {"memory lives by handle or by mapping", memory_lives_by_handle_or_by_mapping, {0}, 1},
    {"an import is closed as often as it was opened", an_import_is_closed_as_often_as_it_was_opened, {0}, 1},
    {"a free of what was exported is noted", a_free_of_what_was_exported_is_noted, {0}, 1},
    {"a variable is part of its module", a_variable_is_part_of_its_module, {0}, 1},
    {"what the driver refused is not read", what_the_driver_refused_is_not_read, {0}, 1},
};

int main(int argc, char **argv)
{
    return hooked_main(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
