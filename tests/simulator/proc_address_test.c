/* cuGetProcAddress: which exported function answers a name at a version. Answers of a real driver (580.159). */
#include "simulator/simulated.h"

#include <dlfcn.h>
#include <string.h>

#include "simulator/simulator.h"

typedef CUresult first_variant(const char *name, void **address, int version, cuuint64_t flags);

static void *exported(const char *name)
{
    return name ? dlsym(RTLD_DEFAULT, name) : NULL;
}

/* What each question is answered with; NULL: nothing, with the status. */
static const struct {
    const char *name;
    int version, flags;
    const char *answer;
    int status;
} rows[] = {
    {"cuMemAlloc", 3020, 0, "cuMemAlloc_v2", 0},
    {"cuMemAlloc", 2000, 0, "cuMemAlloc", 0},
    {"cuMemAlloc", 13000, 0, "cuMemAlloc_v2", 0},
    {"cuMemAlloc", -1, 0, "cuMemAlloc_v2", 0},
    {"cuMemAlloc", 1000, 0, NULL, 2},
    {"cuMemAlloc", 0, 0, NULL, 2},
    {"cuMemAlloc_v2", 13000, 0, NULL, 1},
    {"cuNope", 13000, 0, NULL, 1},
    {"", 13000, 0, NULL, 1},
    {"cuMemAllocAsync", 11000, 0, NULL, 2},
    {"cuMemAllocAsync", 11020, 0, "cuMemAllocAsync", 0},
    {"cuMemAllocAsync", 11020, 2, "cuMemAllocAsync_ptsz", 0},
    {"cuMemAlloc", 13000, 2, "cuMemAlloc_v2", 0},
    {"cuMemcpyHtoD", 6050, 2, NULL, 2},
    {"cuMemcpyHtoD", 7000, 2, "cuMemcpyHtoD_v2_ptds", 0},
    {"cuMemcpyHtoD", 13000, 1, "cuMemcpyHtoD_v2", 0},
    {"cuMemcpyHtoD", 13000, 3, "cuMemcpyHtoD_v2_ptds", 0},
    {"cuMemcpyHtoD_v2_ptds", 13000, 2, NULL, 1},
    {"cuGetProcAddress", 11030, 0, "cuGetProcAddress", 0},
    {"cuGetProcAddress", 12000, 0, "cuGetProcAddress_v2", 0},
    {"cuCtxCreate", 3010, 0, "cuCtxCreate", 0},
    {"cuCtxCreate", 11020, 0, "cuCtxCreate_v2", 0},
    {"cuCtxCreate", 11040, 0, "cuCtxCreate_v3", 0},
    {"cuCtxCreate", 12000, 0, "cuCtxCreate_v3", 0},
    {"cuCtxCreate", 13000, 0, "cuCtxCreate_v4", 0},
    {"cuMemHostRegister", 4000, 0, "cuMemHostRegister", 0},
    {"cuMemHostRegister", 6050, 0, "cuMemHostRegister_v2", 0},
    {"cuDeviceGetUuid", 9020, 0, "cuDeviceGetUuid", 0},
    {"cuDeviceGetUuid", 11040, 0, "cuDeviceGetUuid_v2", 0},
    {"cuProfilerStart", 13000, 0, "cuProfilerStart", 0},
};

static void second_variant_says_why(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        void *address = &address;
        CUdriverProcAddressQueryResult status = (CUdriverProcAddressQueryResult)9;
        assert_ok(cuGetProcAddress(rows[i].name, &address, rows[i].version, (cuuint64_t)rows[i].flags, &status));
        assert_ptr_equal(address, exported(rows[i].answer));
        assert_int_equal(status, rows[i].status);
    }
}

static void first_variant_fails_and_leaves_the_pointer(void **state)
{
    first_variant *ask = (first_variant *)exported("cuGetProcAddress");
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        void *address = &address;
        CUresult result = ask(rows[i].name, &address, rows[i].version, (cuuint64_t)rows[i].flags);
        assert_int_equal(result, rows[i].answer ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND);
        assert_ptr_equal(address, rows[i].answer ? exported(rows[i].answer) : (void *)&address);
    }
}

static void nonsense_is_refused(void **state)
{
    void *address = &address;
    CUdriverProcAddressQueryResult status = (CUdriverProcAddressQueryResult)9;
    (void)state;
    assert_int_equal(cuGetProcAddress("cuInit", &address, 14000, 0, &status), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuGetProcAddress("cuInit", &address, 13000, 4, &status), CUDA_ERROR_INVALID_VALUE);
    assert_ptr_equal(address, &address);
    assert_int_equal(status, 9);
    assert_ok(cuGetProcAddress("cuInit", &address, 13000, 0, NULL));
    assert_ptr_equal(address, exported("cuInit"));
}

static void a_script_withholds_a_function(void **state)
{
    void *address;
    CUdriverProcAddressQueryResult status;
    (void)state;
    assert_int_equal(gpumemtrace_simulator_set_script("missing cuMemAlloc_v2"), 0);
    assert_ok(cuGetProcAddress("cuMemAlloc", &address, 13000, 0, &status));
    assert_null(address);
    assert_int_equal(status, CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
    assert_ok(cuGetProcAddress("cuMemAlloc", &address, 2000, 0, &status));
    assert_ptr_equal(address, exported("cuMemAlloc"));
    assert_int_equal(gpumemtrace_simulator_set_script(NULL), 0);
}

/* Every row of versions.def names an exported function, in the order that look-up relies on. */
static void every_version_is_found(void **state)
{
    static const struct {
        const char *name;
        int first, twin;
        const char *exported;
    } versions[] = {
#define GMT_SIM_VERSION(name, first, twin, exported) {#name, first, twin, #exported},
#include "simulator/versions.def"
#undef GMT_SIM_VERSION
    };
    (void)state;
    assert_int_equal(sizeof versions / sizeof *versions, 671);
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
        void *address;
        assert_ok(cuGetProcAddress(versions[i].name, &address, versions[i].first, versions[i].twin ? 2 : 0, NULL));
        assert_non_null(address);
        assert_ptr_equal(address, exported(versions[i].exported));
        if (i > 0)
            assert_true(strcmp(versions[i - 1].name, versions[i].name) <= 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(second_variant_says_why), cmocka_unit_test(first_variant_fails_and_leaves_the_pointer),
        cmocka_unit_test(nonsense_is_refused),     cmocka_unit_test(a_script_withholds_a_function),
        cmocka_unit_test(every_version_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
