/* Code to be named. The line numbers of this file stand in ../symbolizer_test.c. */
typedef void capture_fn(void);

void chain_inlined(capture_fn *capture);
void chain_direct(capture_fn *capture);

static inline __attribute__((always_inline)) void innermost(capture_fn *capture)
{
    capture(); /* line 9 */
}

static inline __attribute__((always_inline)) void middle(capture_fn *capture)
{
    innermost(capture); /* line 14 */
}

/* The assembly keeps the calls from becoming jumps, which leave no frame. */
static __attribute__((noinline)) void hidden(capture_fn *capture)
{
    middle(capture); /* line 20 */
    __asm__ volatile("" ::: "memory");
}

__attribute__((visibility("default"))) void chain_inlined(capture_fn *capture)
{
    hidden(capture);
    __asm__ volatile("" ::: "memory");
}

__attribute__((visibility("default"))) void chain_direct(capture_fn *capture)
{
    capture(); /* line 32 */
    __asm__ volatile("" ::: "memory");
}
