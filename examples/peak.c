#include "check.h"

#define MIB ((size_t)1 << 20)

static void *take(size_t bytes)
{
    void *buffer;
    CHECK(cudaMalloc(&buffer, bytes));
    CHECK(cudaMemset(buffer, 0, bytes < MIB ? bytes : MIB));
    return buffer;
}

/* Needs a table beside its output: the largest moment of the program, over before anybody looks. */
static void *build_index(size_t bytes)
{
    void *table = take(3 * bytes);
    void *index = take(bytes);
    CHECK(cudaFree(table));
    return index;
}

static void search(void)
{
    for (int query = 0; query < 8; query++) {
        void *candidates = take(64 * MIB);
        CHECK(cudaFree(candidates));
    }
}

int main(void)
{
    void *vectors = take(1024 * MIB);
    void *index = build_index(768 * MIB);
    search();
    CHECK(cudaFree(index));
    CHECK(cudaFree(vectors));
    printf("peak: 8 queries answered\n");
    return 0;
}
