/* Variables of device code: what they are, where, and for how long they take memory. */
#include "simulator/simulated.h"

static const char code[] = "// variables of every form\n"
                           ".version 7.0\n"
                           ".target sm_75\n"
                           ".address_size 64\n"
                           ".visible .global .align 4 .b8 table[4194304];\n"
                           ".visible .const .align 16 .v4 .f32 factors[16];\n"
                           "/* one; two */ .visible .global .align 8 .u64 counter = 5;\n"
                           ".visible .global .align 2 .u16 listed[] = {1, 2, 3};\n"
                           ".visible .global .align 1 .b8 square[3][5];\n"
                           ".visible .entry nothing(.param .u32 unused)\n"
                           "{\n"
                           "    .reg .u32 %r<2>;\n"
                           "    .shared .align 4 .b8 shared_bytes[64];\n"
                           "    ret;\n"
                           "}\n"
                           ".visible .global .align 4 .f32 last;\n";

static const char managed_code[] = ".version 7.0\n.target sm_75\n.address_size 64\n"
                                   ".visible .global .attribute(.managed) .align 4 .u32 everywhere[100];\n"
                                   ".visible .global .align 4 .u32 here[100];\n";

static CUdeviceptr variable(CUmodule module, const char *name, size_t bytes)
{
    CUdeviceptr address = 0;
    size_t told = 0;
    assert_ok(cuModuleGetGlobal(&address, &told, module, name));
    assert_int_equal(told, bytes);
    return address;
}

static void a_modules_variables_are_found(void **state)
{
    CUmodule module;
    CUdeviceptr address;
    size_t bytes;
    unsigned short listed = 0;
    (void)state;
    assert_ok(cuModuleLoadData(&module, code));
    address = variable(module, "table", 4194304);
    variable(module, "factors", 256);
    variable(module, "counter", 8);
    variable(module, "listed", 6);
    variable(module, "square", 15);
    variable(module, "last", 4);
    assert_int_equal(cuModuleGetGlobal(&address, &bytes, module, "shared_bytes"), CUDA_ERROR_NOT_FOUND);
    assert_int_equal(cuModuleGetGlobal(&address, &bytes, module, "nothing"), /* kernels of text are not told apart */
                     simulated() ? CUDA_ERROR_NOT_FOUND : CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuModuleGetGlobal(&address, &bytes, module, "two"), CUDA_ERROR_NOT_FOUND);
    assert_ok(cuModuleGetGlobal(NULL, &bytes, module, "counter"));
    assert_ok(cuModuleGetGlobal(&address, NULL, module, "listed"));
    assert_ok(cuMemcpyDtoH(&listed, address + 2, sizeof listed));
    assert_int_equal(listed, simulated() ? 0 : 2); /* contents in text are not read */
    assert_int_equal(cuMemFree(address), CUDA_ERROR_INVALID_VALUE);
    assert_ok(cuModuleUnload(module));
}

static void a_modules_variables_take_memory_while_it_is_loaded(void **state)
{
    CUmodule module;
    (void)state;
    uint64_t before = free_bytes();
    assert_ok(cuModuleLoadData(&module, code));
    if (simulated())
        assert_int_equal(free_bytes(), before - 6291456); /* 4 MiB, and a chunk for the small ones */
    else
        assert_true(free_bytes() <= before - 4194304);
    CUdeviceptr table = variable(module, "table", 4194304);
    assert_ok(cuMemsetD8(table, 1, 4194304));
    assert_ok(cuModuleUnload(module));
    if (simulated())
        assert_int_equal(free_bytes(), before);
}

static void a_module_that_does_not_fit_is_not_loaded(void **state)
{
    CUmodule module;
    CUdeviceptr block;
    (void)state;
    if (!simulated())
        skip(); /* a full GPU fails in its own ways */
    assert_ok(cuMemAlloc(&block, free_bytes() / 2097152 * 2097152 - 4194304));
    uint64_t before = free_bytes();
    assert_int_equal(cuModuleLoadData(&module, code), CUDA_ERROR_OUT_OF_MEMORY);
    assert_int_equal(free_bytes(), before);
    assert_ok(cuMemFree(block));
}

static void a_context_takes_its_modules_variables_along(void **state)
{
    CUcontext context, primary;
    CUmodule module;
    (void)state;
    assert_ok(cuCtxGetCurrent(&primary));
    uint64_t before = free_bytes();
    assert_ok(cuCtxCreate(&context, NULL, 0, 0));
    assert_ok(cuModuleLoadData(&module, code));
    variable(module, "table", 4194304);
    assert_ok(cuCtxDestroy(context));
    assert_ok(cuCtxSetCurrent(primary));
    assert_int_equal(free_bytes(), before);
}

static void managed_variables_are_not_the_devices(void **state)
{
    CUmodule module;
    (void)state;
    uint64_t before = free_bytes();
    assert_ok(cuModuleLoadData(&module, managed_code));
    if (simulated())
        assert_int_equal(free_bytes(), before - 2097152); /* for the other one */
    CUdeviceptr address = variable(module, "everywhere", 400);
    *(unsigned int *)(uintptr_t)(address + 396) = 5;
    variable(module, "here", 400);
    assert_ok(cuModuleUnload(module));
}

static void a_librarys_variables_are_each_contexts_own(void **state)
{
    CUlibrary library;
    CUcontext context, primary;
    CUdeviceptr first, second, shared, again;
    size_t bytes = 0;
    (void)state;
    assert_ok(cuCtxGetCurrent(&primary));
    assert_ok(cuLibraryLoadData(&library, managed_code, NULL, NULL, 0, NULL, NULL, 0));
    assert_ok(cuLibraryGetGlobal(&first, &bytes, library, "here"));
    assert_int_equal(bytes, 400);
    assert_ok(cuLibraryGetManaged(&shared, &bytes, library, "everywhere"));
    assert_int_equal(bytes, 400);
    assert_ok(cuCtxCreate(&context, NULL, 0, 0));
    assert_ok(cuLibraryGetGlobal(&second, &bytes, library, "here"));
    assert_ok(cuLibraryGetManaged(&again, &bytes, library, "everywhere"));
    assert_int_not_equal(first, second);
    assert_int_equal(shared, again);
    assert_int_equal(cuLibraryGetManaged(&again, &bytes, library, "here"), CUDA_ERROR_NOT_FOUND);
    assert_int_equal(cuLibraryGetGlobal(&again, &bytes, library, "nowhere"), CUDA_ERROR_NOT_FOUND);
    assert_ok(cuCtxDestroy(context));
    assert_ok(cuCtxSetCurrent(primary));
    assert_ok(cuLibraryUnload(library));
}

#define loaded(test) cmocka_unit_test_setup_teardown(test, use_primary, release_primary)

int main(void)
{
    const struct CMUnitTest tests[] = {
        loaded(a_modules_variables_are_found),
        loaded(a_modules_variables_take_memory_while_it_is_loaded),
        loaded(a_module_that_does_not_fit_is_not_loaded),
        loaded(a_context_takes_its_modules_variables_along),
        loaded(managed_variables_are_not_the_devices),
        loaded(a_librarys_variables_are_each_contexts_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
