/* One table a context, which grows as objects are made. Its numbers and its memory are measured: a context has
 * 1,040,383 objects at most, of 64 bytes each, in pieces of 4 MiB, of which it has the first from its start. */
#include "simulator/texture_table.h"

#include <stdlib.h>

#define OBJECTS_MAX 1040383u
#define PIECE (4ull << 20)
#define OBJECTS_A_PIECE 65536u
#define CAPACITY_FIRST 64u

static bool grow(struct gmt_sim_texture_table *table)
{
    uint32_t capacity = table->capacity ? 2 * table->capacity : CAPACITY_FIRST;
    struct gmt_sim_texture **objects = realloc(table->objects, capacity * sizeof *objects);
    if (objects)
        table->objects = objects;
    uint32_t *free_numbers = realloc(table->free_numbers, capacity * sizeof *free_numbers);
    if (free_numbers)
        table->free_numbers = free_numbers;
    if (objects && free_numbers)
        table->capacity = capacity;
    return objects && free_numbers;
}

/* Pays for one object more. */
static bool pay(struct gmt_sim_context *context)
{
    if (context->textures->numbers < context->textures->pieces * OBJECTS_A_PIECE)
        return true;
    if (!gmt_sim_device_take(context->device, PIECE))
        return false;
    context->charged += PIECE;
    context->textures->pieces++;
    return true;
}

static struct gmt_sim_texture_table *table_of(struct gmt_sim_context *context)
{
    if (!context->textures)
        context->textures = calloc(1, sizeof *context->textures);
    if (context->textures && context->textures->pieces == 0)
        context->textures->pieces = 1;
    return context->textures;
}

CUresult gmt_sim_texture_table_add(struct gmt_sim_context *context, struct gmt_sim_texture *object,
                                   unsigned long long *number_out)
{
    struct gmt_sim_texture_table *table = table_of(context);
    uint32_t number;
    if (!table)
        return CUDA_ERROR_OUT_OF_MEMORY;
    if (table->free_count > 0) {
        number = table->free_numbers[--table->free_count];
    } else {
        if (table->numbers == OBJECTS_MAX || (table->numbers == table->capacity && !grow(table)) || !pay(context))
            return CUDA_ERROR_OUT_OF_MEMORY;
        number = ++table->numbers;
    }
    table->objects[number - 1] = object;
    *number_out = number;
    return CUDA_SUCCESS;
}

struct gmt_sim_texture *gmt_sim_texture_table_at(const struct gmt_sim_context *context, unsigned long long number)
{
    const struct gmt_sim_texture_table *table = context->textures;
    return table && number > 0 && number <= table->numbers ? table->objects[number - 1] : NULL;
}

void gmt_sim_texture_table_remove(struct gmt_sim_context *context, unsigned long long number)
{
    struct gmt_sim_texture_table *table = context->textures;
    table->objects[number - 1] = NULL;
    table->free_numbers[table->free_count++] = (uint32_t)number;
}

void gmt_sim_texture_table_end(struct gmt_sim_context *context)
{
    if (context->textures) {
        free(context->textures->objects);
        free(context->textures->free_numbers);
        free(context->textures);
    }
    context->textures = NULL;
}
