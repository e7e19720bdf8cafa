/* Loaded device code. The variables of a module take memory as long as it is loaded; those of a library take it in each
 * context where they are asked for, as lazy loading does. */
#include "simulator/code.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simulator/handle.h"
#include "simulator/image.h"
#include "simulator/live_block.h"

enum { IMAGE_MAX = 1 << 28 };

struct gmt_sim_instance {
    struct gmt_sim_instance *next;
    struct gmt_sim_context *context; /* NULL: of all, managed */
    unsigned long long context_id;   /* tells a restarted primary context from the one before */
    uint64_t address;
};

struct eager {
    struct gmt_sim_code *code;
    CUresult result;
};

static bool take_memory(const char *name, const struct gmt_sim_image_variable *variable, void *argument)
{
    struct eager *eager = argument;
    CUresult result = gmt_sim_code_declare(eager->code, name, variable->bytes, variable->managed);
    if (result == CUDA_SUCCESS)
        result = gmt_sim_code_variable(eager->code, eager->code->context, name, variable->managed, NULL, NULL);
    eager->result = result;
    return result == CUDA_SUCCESS;
}

static void enlist(struct gmt_sim_code *code)
{
    if (!code->context)
        return;
    code->next = code->context->modules;
    if (code->next)
        code->next->before = code;
    code->context->modules = code;
}

static void unlist(struct gmt_sim_code *code)
{
    if (!code->context || code->library)
        return;
    if (code->before)
        code->before->next = code->next;
    else
        code->context->modules = code->next;
    if (code->next)
        code->next->before = code->before;
}

CUresult gmt_sim_code_load(const void *image, struct gmt_sim_context *context, struct gmt_sim_code **code_out)
{
    struct gmt_sim_code *code = calloc(1, sizeof *code);
    struct eager eager = {code, CUDA_SUCCESS};
    if (code)
        code->image = gmt_sim_image_copy(image);
    if (!code || !code->image || !gmt_sim_handle_add(code, context ? GMT_SIM_MODULE : GMT_SIM_LIBRARY)) {
        if (code)
            free(code->image);
        free(code);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    code->context = context;
    enlist(code);
    if (context)
        gmt_sim_image_visit_variables(code->image, take_memory, &eager);
    if (eager.result != CUDA_SUCCESS) {
        gmt_sim_code_unload(code);
        return eager.result;
    }
    *code_out = code;
    return CUDA_SUCCESS;
}

void *gmt_sim_image_read(const char *path)
{
    FILE *file = fopen(path, "re");
    if (!file)
        return NULL;
    long bytes = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    char *image = bytes > 0 && bytes < IMAGE_MAX ? calloc(1, (size_t)bytes + 16) : NULL;
    bool good = image && fseek(file, 0, SEEK_SET) == 0 && fread(image, 1, (size_t)bytes, file) == (size_t)bytes;
    fclose(file);
    if (good)
        return image;
    free(image);
    return NULL;
}

static void end_variable(struct gmt_sim_variable *variable)
{
    while (variable->instances) {
        struct gmt_sim_instance *instance = variable->instances;
        variable->instances = instance->next;
        bool alive = !instance->context || (instance->context->alive && instance->context->id == instance->context_id);
        struct gmt_sim_block *block = alive ? gmt_sim_block_at(instance->address) : NULL;
        if (block)
            gmt_sim_block_give(block);
        free(instance);
    }
    free(variable->name);
    free(variable);
}

void gmt_sim_code_unload(struct gmt_sim_code *code)
{
    while (code->modules) {
        struct gmt_sim_code *module = code->modules;
        code->modules = module->next_module;
        gmt_sim_code_unload(module);
    }
    while (code->functions) {
        struct gmt_sim_function *function = code->functions;
        code->functions = function->next;
        gmt_sim_handle_remove(function);
        free(function->name);
        free(function);
    }
    while (code->variables) {
        struct gmt_sim_variable *variable = code->variables;
        code->variables = variable->next;
        end_variable(variable);
    }
    gmt_sim_handle_remove(code);
    unlist(code);
    if (!code->library)
        free(code->image);
    free(code);
}

void gmt_sim_modules_end(struct gmt_sim_context *context)
{
    while (context->modules)
        gmt_sim_code_unload(context->modules);
}

CUresult gmt_sim_code_function(struct gmt_sim_code *code, const char *name, struct gmt_sim_function **function_out)
{
    for (*function_out = code->functions; *function_out; *function_out = (*function_out)->next) {
        if (strcmp((*function_out)->name, name) == 0)
            return CUDA_SUCCESS;
    }
    struct gmt_sim_image_kernel kernel;
    if (!gmt_sim_image_find_kernel(code->image, name, &kernel))
        return CUDA_ERROR_NOT_FOUND;
    struct gmt_sim_function *function = calloc(1, sizeof *function);
    char *copy = strdup(name);
    if (!function || !copy || !gmt_sim_handle_add(function, GMT_SIM_FUNCTION)) {
        free(function);
        free(copy);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    *function = (struct gmt_sim_function){.next = code->functions,
                                          .code = code,
                                          .name = copy,
                                          .registers = kernel.registers,
                                          .local_bytes = kernel.local_bytes,
                                          .max_dynamic_shared = 49152,
                                          .carveout = -1};
    code->functions = function;
    *function_out = function;
    return CUDA_SUCCESS;
}

CUresult gmt_sim_code_declare(struct gmt_sim_code *code, const char *name, uint64_t bytes, bool managed)
{
    for (struct gmt_sim_variable *known = code->variables; known; known = known->next) {
        if (strcmp(known->name, name) == 0)
            return CUDA_SUCCESS;
    }
    struct gmt_sim_variable *variable = calloc(1, sizeof *variable);
    char *copy = strdup(name);
    if (!variable || !copy) {
        free(variable);
        free(copy);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    *variable = (struct gmt_sim_variable){code->variables, copy, bytes, managed, NULL};
    code->variables = variable;
    return CUDA_SUCCESS;
}

/* The variable as declared, or as the image has it. */
static CUresult find_variable(struct gmt_sim_code *code, const char *name, bool managed,
                              struct gmt_sim_variable **found_out)
{
    struct gmt_sim_image_variable in_image;
    for (int round = 0; round < 2; round++) {
        for (*found_out = code->variables; *found_out; *found_out = (*found_out)->next) {
            if (strcmp((*found_out)->name, name) == 0)
                return (*found_out)->managed == managed ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
        }
        if (!gmt_sim_image_find_variable(code->image, name, &in_image) || in_image.bytes == 0)
            return CUDA_ERROR_NOT_FOUND;
        CUresult result = gmt_sim_code_declare(code, name, in_image.bytes, managed || in_image.managed);
        if (result != CUDA_SUCCESS)
            return result;
    }
    return CUDA_ERROR_NOT_FOUND;
}

/* Gives the variable memory with its initial contents. Memory that is fresh from the heap may be used before, hence
 * zeros. */
static CUresult make_instance(struct gmt_sim_code *code, struct gmt_sim_variable *variable,
                              struct gmt_sim_context *context, struct gmt_sim_instance *instance)
{
    /* Managed variables belong to no context: they outlive a reset of the device, as on a GPU. */
    static struct gmt_sim_heap shared_heap;
    struct gmt_sim_heap *own_heap = context->api_version < 3020 ? &context->low_heap : &context->device_heap;
    struct gmt_sim_image_variable in_image;
    struct gmt_sim_block *block;
    CUresult result = variable->managed
                          ? gmt_sim_block_take(NULL, &shared_heap, GMT_SIM_MANAGED_VARIABLE, variable->bytes, &block)
                          : gmt_sim_block_take(context, own_heap, GMT_SIM_VARIABLE, variable->bytes, &block);
    if (result != CUDA_SUCCESS)
        return result;
    void *memory = (void *)(uintptr_t)block->address;
    memset(memory, 0, variable->bytes);
    if (gmt_sim_image_find_variable(code->image, variable->name, &in_image) && in_image.contents)
        memcpy(memory, in_image.contents, in_image.bytes < variable->bytes ? in_image.bytes : variable->bytes);
    *instance = (struct gmt_sim_instance){.next = variable->instances,
                                          .context = variable->managed ? NULL : context,
                                          .context_id = context->id,
                                          .address = block->address};
    variable->instances = instance;
    return CUDA_SUCCESS;
}

CUresult gmt_sim_code_variable(struct gmt_sim_code *code, struct gmt_sim_context *context, const char *name,
                               bool managed, CUdeviceptr *address_out, size_t *bytes_out)
{
    struct gmt_sim_variable *variable;
    CUresult result = find_variable(code, name, managed, &variable);
    if (result != CUDA_SUCCESS)
        return result;
    struct gmt_sim_instance *instance = variable->instances;
    while (instance && instance->context && (instance->context != context || instance->context_id != context->id))
        instance = instance->next;
    if (!instance) {
        instance = calloc(1, sizeof *instance);
        result = instance ? make_instance(code, variable, context, instance) : CUDA_ERROR_OUT_OF_MEMORY;
        if (result != CUDA_SUCCESS) {
            free(instance);
            return result;
        }
    }
    if (address_out)
        *address_out = instance->address;
    if (bytes_out)
        *bytes_out = variable->bytes;
    return CUDA_SUCCESS;
}

struct gmt_sim_function *gmt_sim_function_of(const void *handle)
{
    return gmt_sim_handle_is(handle, GMT_SIM_FUNCTION) ? (struct gmt_sim_function *)handle : NULL;
}
