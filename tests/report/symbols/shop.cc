// Code to be named. The line numbers of this file stand in ../symbolizer_test.c.
typedef void capture_fn(void);

namespace shop {
template <class T> struct Cart {
    __attribute__((noinline)) void add(T, capture_fn *capture)
    {
        capture(); // line 8
        __asm__ volatile("" ::: "memory");
    }
};
} // namespace shop

extern "C" __attribute__((visibility("default"))) void shop_enter(capture_fn *capture)
{
    shop::Cart<int> cart;
    cart.add(1, capture);
    __asm__ volatile("" ::: "memory");
}
