/* Mangled names of each scheme and what they must read as, as literals. */
#include "demangled.h"

#include "support/unit_test.h"

static struct gmt_heap heap;

static void expect(const char *mangled, const char *name)
{
    assert_string_equal(gmt_demangled(mangled, &heap), name);
}

static void cxx(void **state)
{
    (void)state;
    expect("_ZN6loader5Batch4growEm", "loader::Batch::grow");
    expect("_ZNSt6vectorIfSaIfEE17_M_realloc_insertIJfEEEvN9__gnu_cxx17__normal_iteratorIPfS1_EEDpOT_",
           "std::vector<float, std::allocator<float> >::_M_realloc_insert<float>");
    expect("_Znam", "operator new[]");
    expect("_ZZ4mainENKUlvE_clEv", "main::{lambda()#1}::operator()");
    expect("_ZN12_GLOBAL__N_13runEv", "(anonymous namespace)::run");
}

/* Rust's scheme before 1.59, and still the default: C++'s with a hash, which says nothing to a reader. */
static void rust_legacy(void **state)
{
    (void)state;
    expect("_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE", "core::fmt::Write::write_fmt");
    expect("_ZN57_$LT$trainer..Buffer$u20$as$u20$core..ops..drop..Drop$GT$4drop17h89abcdef01234567E",
           "<trainer::Buffer as core::ops::drop::Drop>::drop");
    expect("_ZN7trainer4main28_$u7b$$u7b$closure$u7d$$u7d$17h0011223344556677E", "trainer::main::{{closure}}");
}

static void rust_v0(void **state)
{
    (void)state;
    expect("_RNvCs1234_7mycrate3foo", "mycrate::foo");
    expect("_RNvMs_NtCs1234_7trainer6bufferNtB4_6Buffer4grow", "<trainer::buffer::Buffer>::grow");
    expect("_RNCNvCs1234_7trainer4main0B3_", "trainer::main::{closure#0}");
    expect("_RINvNtC3std3mem8align_ofjE", "std::mem::align_of::<usize>");
    expect("_RNvXCs1234_7trainerNtB2_6BufferNtNtNtC4core3ops4drop4Drop4drop",
           "<trainer::Buffer as core::ops::drop::Drop>::drop");
}

/* Names that are none of these stay as they are, broken ones included. */
static void leaves_others(void **state)
{
    (void)state;
    expect("main", "main");
    expect("_start", "_start");
    expect("", "");
    expect("_ZN6loader", "_ZN6loader");
    expect("_RNv", "_RNv");
    expect("_RNvCs1234_99mycrate3foo", "_RNvCs1234_99mycrate3foo");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cxx),
        cmocka_unit_test(rust_legacy),
        cmocka_unit_test(rust_v0),
        cmocka_unit_test(leaves_others),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    gmt_heap_drop(&heap);
    return failed;
}
