/* Loaded device code: what an image defines, with the handles and the memory made for it.
 */
#ifndef GMT_SIMULATOR_CODE_H
#define GMT_SIMULATOR_CODE_H

#include "simulator/state.h"

/* A kernel of an image; CUfunction and CUkernel both point to one. */
struct gmt_sim_function {
    struct gmt_sim_function *next;
    struct gmt_sim_code *code;
    char *name;
    int registers;
    uint32_t local_bytes;             /* stack of one thread */
    int max_dynamic_shared, carveout; /* as set, in bytes and percent */
};

/* A variable of an image, and where it is in one context. */
struct gmt_sim_variable {
    struct gmt_sim_variable *next;
    char *name;
    uint64_t bytes;
    bool managed; /* one place for all contexts */
    struct gmt_sim_instance *instances;
};

/* CUmodule and CUlibrary. */
struct gmt_sim_code {
    void *image;
    struct gmt_sim_context *context; /* a module's; NULL: a library, which every context can use */
    struct gmt_sim_code *library;    /* a module that stands for a library in one context */
    struct gmt_sim_code *modules;    /* of a library, by `next_module` */
    struct gmt_sim_code *next_module;
    struct gmt_sim_code *next, *before; /* modules of the same context that stand for no library */
    struct gmt_sim_function *functions;
    struct gmt_sim_variable *variables;
};

/* Loads a copy of an image; `context` NULL for a library. Lock held. */
CUresult gmt_sim_code_load(const void *image, struct gmt_sim_context *context, struct gmt_sim_code **code_out);

/* The bytes of a file as an image, for free(); NULL when it cannot be read. */
void *gmt_sim_image_read(const char *path);

/* Ends the code with its handles and its variables. Lock held. */
void gmt_sim_code_unload(struct gmt_sim_code *code);

/* Unloads the modules of a context. Lock held. */
void gmt_sim_modules_end(struct gmt_sim_context *context);

/* The kernel of a name: CUDA_SUCCESS or CUDA_ERROR_NOT_FOUND. Lock held. */
CUresult gmt_sim_code_function(struct gmt_sim_code *code, const char *name, struct gmt_sim_function **function_out);

/* Where a variable is in a context; it is made when first asked for. CUDA_SUCCESS, CUDA_ERROR_NOT_FOUND or
 * CUDA_ERROR_OUT_OF_MEMORY. Lock held. */
CUresult gmt_sim_code_variable(struct gmt_sim_code *code, struct gmt_sim_context *context, const char *name,
                               bool managed, CUdeviceptr *address_out, size_t *bytes_out);

/* Says that the code has this variable, where the image cannot be read. Lock held. */
CUresult gmt_sim_code_declare(struct gmt_sim_code *code, const char *name, uint64_t bytes, bool managed);

/* The kernel of a CUfunction or CUkernel handle, NULL for neither. Lock held. */
struct gmt_sim_function *gmt_sim_function_of(const void *handle);

#endif
