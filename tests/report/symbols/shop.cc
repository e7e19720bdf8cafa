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

namespace shop {
inline __attribute__((always_inline)) void pay(capture_fn *capture)
{
    capture(); // line 24
}

__attribute__((noinline)) void checkout(capture_fn *capture)
{
    auto each = [](capture_fn *inner) __attribute__((noinline)) {
        pay(inner); // line 30
        __asm__ volatile("" ::: "memory");
    };
    each(capture);
    __asm__ volatile("" ::: "memory");
}
} // namespace shop

extern "C" __attribute__((visibility("default"))) void shop_checkout(capture_fn *capture)
{
    shop::checkout(capture);
    __asm__ volatile("" ::: "memory");
}
