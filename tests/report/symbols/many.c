/* A thousand functions, f000 to f999, each with another one inlined: for naming_scale_test.c. */
typedef void capture_fn(void);

static inline __attribute__((always_inline)) void call(capture_fn *capture)
{
    capture(); /* line 6 */
}

#define ONE(n)                                                                                                         \
    __attribute__((visibility("default"))) void f##n(capture_fn *capture);                                             \
    void f##n(capture_fn *capture)                                                                                     \
    {                                                                                                                  \
        call(capture);                                                                                                 \
        __asm__ volatile("" ::: "memory");                                                                             \
    }
#define TEN(n) ONE(n##0) ONE(n##1) ONE(n##2) ONE(n##3) ONE(n##4) ONE(n##5) ONE(n##6) ONE(n##7) ONE(n##8) ONE(n##9)
#define HUNDRED(n) TEN(n##0) TEN(n##1) TEN(n##2) TEN(n##3) TEN(n##4) TEN(n##5) TEN(n##6) TEN(n##7) TEN(n##8) TEN(n##9)

HUNDRED(0)
HUNDRED(1)
HUNDRED(2)
HUNDRED(3)
HUNDRED(4)
HUNDRED(5)
HUNDRED(6)
HUNDRED(7)
HUNDRED(8)
HUNDRED(9)
