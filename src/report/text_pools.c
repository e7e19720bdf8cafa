/* Memory pools and changed limits in the text format: what keeps memory from the device though nobody holds it. */
#include "report/stack_words.h"
#include "report/text_sections.h"
#include "report/words.h"

#define LIMITS_SHOWN 16u
#define POOLS_SHOWN 16u

static const char *pool_words(struct gmt_heap *heap, const struct gmt_pool *pool)
{
    static const char *const types[] = {"Default pool", "Created pool", "Imported pool", "Memory of graphs"};
    return gmt_heap_print(heap, "%s of %s%s", types[pool->type], gmt_words_device(heap, pool->device),
                          pool->destroyed ? " (destroyed)" : "");
}

static void write_threshold(struct gmt_text_writer *writer, const struct gmt_process *process,
                            const struct gmt_pool *pool)
{
    struct gmt_heap *heap = writer->heap;
    const char *keeps = pool->threshold_bytes == UINT64_MAX
                            ? "keeps everything"
                            : gmt_heap_print(heap, "keeps up to %s", gmt_words_size(heap, pool->threshold_bytes));
    const char *who = pool->raised.entry ? gmt_heap_print(heap, ": release threshold set %s after the start by %s",
                                                          gmt_words_time(heap, pool->raised_ns),
                                                          gmt_words_caller(heap, process, &pool->raised))
                                         : "";
    if (pool->has_threshold && (pool->raised.entry || pool->threshold_bytes > 0))
        gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN, "      %s%s", keeps, who);
}

/* What a trim would give back to the device. */
static void write_trims(struct gmt_text_writer *writer, const struct gmt_process *process, const struct gmt_pool *pool)
{
    struct gmt_heap *heap = writer->heap;
    if (pool->trim_count)
        gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN, "      trimmed %s, last %s after the start by %s",
                      gmt_words_count(heap, pool->trim_count, "time"), gmt_words_time(heap, pool->trim_ns),
                      gmt_words_caller(heap, process, &pool->trimmed));
    if (!pool->sampled || pool->destroyed)
        return;
    if (pool->type == GMT_POOL_GRAPHS && pool->reserved_bytes > 0)
        gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN,
                      "      cudaDeviceGraphMemTrim would return what of it no block uses");
    else if (pool->type != GMT_POOL_GRAPHS && pool->reserved_bytes > pool->used_bytes)
        gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN, "      cudaMemPoolTrimTo(pool, 0) would return up to %s of it",
                      gmt_words_size(heap, pool->reserved_bytes - pool->used_bytes));
}

/* Of the memory of graphs drivers call all "used" that is reserved, so that says nothing (tests/gpu/FACTS.md). */
static const char *figures_words(struct gmt_heap *heap, const struct gmt_pool *pool)
{
    const char *reserved = gmt_words_size(heap, pool->reserved_bytes);
    const char *most = gmt_words_size(heap, pool->reserved_high_bytes);
    const char *time = gmt_words_time(heap, pool->sample_ns);
    if (!pool->sampled)
        return "its figures were never read";
    if (pool->type == GMT_POOL_GRAPHS)
        return gmt_heap_print(heap, "%s reserved; at most %s; read %s after the start", reserved, most, time);
    return gmt_heap_print(heap, "%s reserved, %s of it in use; at most %s and %s; read %s after the start", reserved,
                          gmt_words_size(heap, pool->used_bytes), most, gmt_words_size(heap, pool->used_high_bytes),
                          time);
}

void gmt_text_pool(struct gmt_text_writer *writer, const struct gmt_process *process, const struct gmt_pool *pool)
{
    struct gmt_heap *heap = writer->heap;
    gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN, "  %s: %s", pool_words(heap, pool), figures_words(heap, pool));
    write_threshold(writer, process, pool);
    write_trims(writer, process, pool);
}

bool gmt_text_pool_matters(const struct gmt_pool *pool)
{
    return pool->raised.entry || pool->trim_count || (pool->sampled && pool->reserved_bytes > 0);
}

static bool is_told(const struct gmt_text_writer *writer, const struct gmt_process *process,
                    const struct gmt_pool *pool)
{
    for (unsigned i = 0; i < process->oom_count && gmt_text_oom_is_detailed(writer, i); i++)
        for (unsigned j = 0; j < process->ooms[i].pool_count; j++)
            if (process->ooms[i].pools[j] == pool)
                return true;
    return false;
}

/* Nothing is said twice: errors tell of the pools that they found. */
static bool says_something(const struct gmt_text_writer *writer, const struct gmt_process *process,
                           const struct gmt_pool *pool)
{
    if (is_told(writer, process, pool))
        return false;
    return writer->options->full || gmt_text_pool_matters(pool);
}

void gmt_text_pools(struct gmt_text_writer *writer, const struct gmt_process *process)
{
    unsigned shown = 0, left_out = 0;
    for (unsigned i = 0; i < process->pool_count; i++) {
        if (!says_something(writer, process, &process->pools[i]))
            continue;
        if (shown == POOLS_SHOWN && !writer->options->full) {
            left_out++;
            continue;
        }
        if (shown++ == 0) {
            gmt_lines_space(&writer->lines);
            gmt_lines_add(&writer->lines, GMT_STYLE_STRONG, "Memory pools");
        }
        gmt_text_pool(writer, process, &process->pools[i]);
    }
    if (left_out)
        gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN, "  and %u more; --full lists them all", left_out);
}

static const char *value_words(struct gmt_heap *heap, const struct gmt_limit *limit, uint64_t value)
{
    if (value == UINT64_MAX)
        return "an unknown value";
    return limit->in_bytes ? gmt_words_size(heap, value) : gmt_words_number(heap, value);
}

void gmt_text_limit(struct gmt_text_writer *writer, const struct gmt_process *process, const struct gmt_limit *limit,
                    const char *margin)
{
    struct gmt_heap *heap = writer->heap;
    const char *name = limit->words ? limit->words : gmt_heap_print(heap, "limit %u", (unsigned)limit->number);
    gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN, "%s%s on %s: from %s to %s%s, %s after the start, by %s", margin,
                  name, gmt_words_device(heap, limit->device), value_words(heap, limit, limit->old_value),
                  value_words(heap, limit, limit->new_value),
                  limit->count > 1 ? gmt_heap_print(heap, " (%s times)", gmt_words_number(heap, limit->count)) : "",
                  gmt_words_time(heap, limit->time_ns), gmt_words_caller(heap, process, &limit->set));
}

void gmt_text_limits(struct gmt_text_writer *writer, const struct gmt_process *process)
{
    if (process->limit_count == 0)
        return;
    gmt_lines_space(&writer->lines);
    gmt_lines_add(&writer->lines, GMT_STYLE_STRONG, "Limits that the program changed");
    unsigned first = 0; /* the newest hold */
    if (!writer->options->full && process->limit_count > LIMITS_SHOWN)
        first = process->limit_count - LIMITS_SHOWN;
    if (first)
        gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN, "  %u earlier changes; --full lists them all", first);
    for (unsigned i = first; i < process->limit_count; i++)
        gmt_text_limit(writer, process, &process->limits[i], "  ");
}
