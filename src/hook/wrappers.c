/* The wrappers of every row, expanded from the table. */
#include "hook/wrappers.h"

#include <stddef.h>

#include "hook/call.h"
#include "hook/driver.h"

/* What a row's rule means before the real call … */
#define BEFORE_INIT
#define BEFORE_LOOKUP(symbol, function)
#define BEFORE_ALLOC(kind, address, bytes, request)
#define BEFORE_FREE(address) gmt_call_free_begin(&call, (address));
#define BEFORE_CONTEXT_CREATED(handle, device)
#define BEFORE_CONTEXT_RETAINED(handle)
#define BEFORE_CONTEXT_RELEASED(handle)
#define BEFORE_CONTEXT_DESTROYED(handle)
#define BEFORE_PRIMARY_RETAINED(handle, device)
#define BEFORE_PRIMARY_RELEASED(device)
#define BEFORE_PRIMARY_RESET(device)

/* … and after it. `code` is the result; out-parameters are read on success only. */
#define ON_SUCCESS(action)                                                                                             \
    if (code == CUDA_SUCCESS)                                                                                          \
        action;                                                                                                        \
    else                                                                                                               \
        gmt_call_failed(&call, 0);
#define AFTER_INIT ON_SUCCESS(gmt_call_initialised(&call))
#define AFTER_LOOKUP(symbol, function)                                                                                 \
    if (code == CUDA_SUCCESS && (function) && *(function))                                                             \
        *(function) = gmt_call_handed_out(&call, (symbol), *(function));
#define AFTER_ALLOC(kind, address, bytes, request)                                                                     \
    if (code == CUDA_SUCCESS)                                                                                          \
        gmt_call_allocated(&call, GMT_KIND_##kind, (address), (bytes));                                                \
    else                                                                                                               \
        gmt_call_failed(&call, (request));
#define AFTER_FREE(address) gmt_call_free_end(&call);
#define AFTER_CONTEXT_CREATED(handle, device) ON_SUCCESS(gmt_call_context_retained(&call, (handle), (device), false))
#define AFTER_CONTEXT_RETAINED(handle) ON_SUCCESS(gmt_call_context_retained(&call, (handle), -1, false))
#define AFTER_CONTEXT_RELEASED(handle) ON_SUCCESS(gmt_call_context_released(&call, (handle), -1, GMT_CONTEXT_DESTROYED))
#define AFTER_CONTEXT_DESTROYED(handle) ON_SUCCESS(gmt_call_context_ended(&call, (handle), -1, GMT_CONTEXT_DESTROYED))
#define AFTER_PRIMARY_RETAINED(handle, device) ON_SUCCESS(gmt_call_context_retained(&call, (handle), (device), true))
#define AFTER_PRIMARY_RELEASED(device)                                                                                 \
    ON_SUCCESS(gmt_call_context_released(&call, NULL, (device), GMT_CONTEXT_RELEASED))
#define AFTER_PRIMARY_RESET(device) ON_SUCCESS(gmt_call_context_ended(&call, NULL, (device), GMT_CONTEXT_RESET))

/* Another thread may be publishing what it discovered. */
#define TARGET(name, target) __atomic_load_n(&gmt_entry_targets[GMT_ENTRY_##name].target, __ATOMIC_RELAXED)

/* A wrapper: `target` names the member of gmt_entry_targets to call. */
#define DEFINE_WRAPPER(wrapper, target, door, name, result, parameters, arguments, rule)                               \
    result wrapper parameters                                                                                          \
    {                                                                                                                  \
        typedef result function parameters;                                                                            \
        if (__builtin_expect(__atomic_load_n(&gmt_hooks_off, __ATOMIC_RELAXED), 0)) {                                  \
            gmt_driver_discover();                                                                                     \
            return ((function *)TARGET(name, target))arguments;                                                        \
        }                                                                                                              \
        struct gmt_call call;                                                                                          \
        struct gmt_registers here = gmt_registers_here();                                                              \
        gmt_call_begin(&call, GMT_ENTRY_##name, door, __builtin_return_address(0), &here);                             \
        BEFORE_##rule;                                                                                                 \
        result code = ((function *)TARGET(name, target))arguments;                                                     \
        gmt_call_returned(&call, code);                                                                                \
        AFTER_##rule;                                                                                                  \
        gmt_call_end(&call);                                                                                           \
        return code;                                                                                                   \
    }

#define GMT_ENTRY(library, name, result, parameters, arguments, rule)                                                  \
    DEFINE_WRAPPER(name, next, GMT_DOOR_SYMBOL, name, result, parameters, arguments, rule)                             \
    DEFINE_WRAPPER(gmt_handed_out_##name, driver, GMT_DOOR_DLSYM, name, result, parameters, arguments, rule)
#include "hook/entry_points.def"
#undef GMT_ENTRY

/* What a function returns that this driver does not have. The parameters stay unused. */
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define GMT_ENTRY(library, name, result, parameters, arguments, rule)                                                  \
    result gmt_missing_##name parameters                                                                               \
    {                                                                                                                  \
        return CUDA_ERROR_NOT_FOUND;                                                                                   \
    }
#include "hook/entry_points.def"
#undef GMT_ENTRY
