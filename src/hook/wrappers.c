/* The wrappers of every row, expanded from the table. */
#include "hook/wrappers.h"

#include <stddef.h>

#include "hook/array_bytes.h"
#include "hook/call.h"
#include "hook/driver.h"

/* What a row's rule means before the real call … */
#define BEFORE_INIT
#define BEFORE_LOOKUP(symbol, function)
#define BEFORE_WATCH
#define BEFORE_ALLOC(kind, address, bytes, request)
#define BEFORE_ALLOC_ASYNC(address, bytes, pool, stream)
#define BEFORE_OBJECT(kind, handle)
#define BEFORE_REFERENCE(kind, address, bytes)
#define BEFORE_REGISTER(address, bytes)
#define BEFORE_ONCE(kind, address, bytes)
#define BEFORE_EXPORT(family, address)
#define BEFORE_ALLOC_PHYSICAL(handle, bytes, properties)
#define BEFORE_RETAIN(handle, address)
#define BEFORE_MAP(address, bytes, handle)
#define BEFORE_ACCESS(address, bytes)
#define BEFORE_VARIABLE(kind, address, bytes, family, owner)
#define BEFORE_POOL(handle, properties)
#define BEFORE_POOL_OF(handle, device)
#define BEFORE_POOL_SET(handle, attribute, value)
#define BEFORE_POOL_TRIMMED(handle)
#define BEFORE_GRAPHS_TRIMMED(device)
#define BEFORE_GRAPH_ALLOCATES(graph, address, bytes)
#define BEFORE_GRAPH_FREES(graph, address)
#define BEFORE_GRAPH_NODE(graph, parameters)
#define BEFORE_GRAPH_JOINED(parent, child)
#define BEFORE_GRAPH_CLONED(clone, graph)
#define BEFORE_INSTANTIATED(executable, graph)
#define BEFORE_GRAPH_LAUNCHED(executable)
#define BEFORE_CAPTURE_BEGUN(stream, graph)
#define BEFORE_CAPTURE_ENDED(graph)
#define BEFORE_CONTEXT_CREATED(handle, device)
#define BEFORE_CONTEXT_RETAINED(handle)
#define BEFORE_CONTEXT_RELEASED(handle)
#define BEFORE_PRIMARY_RETAINED(handle, device)
#define BEFORE_PRIMARY_RELEASED(device)
#define BEFORE_FREE(family, address) gmt_call_free_begin(&call, GMT_FAMILY_##family, (address));
#define BEFORE_FREE_ASYNC(address, stream) gmt_call_free_async_begin(&call, (address), (stream));
#define BEFORE_UNMAP(address, bytes) gmt_call_unmap_begin(&call, (address), (bytes));
#define BEFORE_LIMIT(limit, value) gmt_call_limit_begin(&call, (limit));
#define BEFORE_CONTEXT_DESTROYED(handle) gmt_call_context_ends(&call, -1);
#define BEFORE_PRIMARY_RESET(device) gmt_call_context_ends(&call, (device));

/* … and after it. `code` is the result; out-parameters are read on success only. */
#define ON_SUCCESS_OR(action, failure)                                                                                 \
    if (code == CUDA_SUCCESS)                                                                                          \
        action;                                                                                                        \
    else                                                                                                               \
        failure;
#define ON_SUCCESS(action) ON_SUCCESS_OR(action, gmt_call_failed(&call, 0))
#define AFTER_INIT ON_SUCCESS(gmt_call_initialised(&call))
#define AFTER_LOOKUP(symbol, function)                                                                                 \
    if (code == CUDA_SUCCESS && (function) && *(function))                                                             \
        *(function) = gmt_call_handed_out(&call, (symbol), *(function));
#define AFTER_WATCH ON_SUCCESS((void)0)

#define AFTER_ALLOC(kind, address, bytes, request)                                                                     \
    ON_SUCCESS_OR(gmt_call_allocated(&call, GMT_KIND_##kind, (address), (bytes)), gmt_call_failed(&call, (request)))
#define AFTER_ALLOC_ASYNC(address, bytes, pool, stream)                                                                \
    ON_SUCCESS_OR(gmt_call_allocated_async(&call, (address), (bytes), (pool), (stream)),                               \
                  gmt_call_failed(&call, (bytes)))
#define AFTER_OBJECT(kind, handle) ON_SUCCESS(gmt_call_allocated(&call, GMT_KIND_##kind, (uintptr_t)(handle), 0))
#define AFTER_REFERENCE(kind, address, bytes)                                                                          \
    ON_SUCCESS(gmt_call_referenced(&call, GMT_KIND_##kind, (address), (bytes)))
#define AFTER_ONCE(kind, address, bytes) ON_SUCCESS(gmt_call_allocated_once(&call, GMT_KIND_##kind, (address), (bytes)))
#define AFTER_REGISTER(address, bytes)                                                                                 \
    ON_SUCCESS_OR(gmt_call_allocated(&call, GMT_KIND_REGISTERED, (uintptr_t)(address), (bytes)),                       \
                  gmt_call_not_registered(&call, (uintptr_t)(address), (bytes)))
#define AFTER_EXPORT(family, address) ON_SUCCESS(gmt_call_exported(&call, GMT_FAMILY_##family, (address)))
#define AFTER_FREE(family, address) gmt_call_free_end(&call);
#define AFTER_FREE_ASYNC(address, stream) gmt_call_free_async_end(&call, (address));

#define AFTER_ALLOC_PHYSICAL(handle, bytes, properties)                                                                \
    ON_SUCCESS_OR(gmt_call_allocated_physical(&call, (handle), (bytes), (properties)), gmt_call_failed(&call, (bytes)))
#define AFTER_RETAIN(handle, address) ON_SUCCESS(gmt_call_retained(&call, (handle), (address)))
#define AFTER_MAP(address, bytes, handle)                                                                              \
    ON_SUCCESS_OR(gmt_call_mapped(&call, (address), (bytes), (handle)), gmt_call_failed(&call, (bytes)))
#define AFTER_UNMAP(address, bytes) gmt_call_unmap_end(&call, (address), (bytes));
#define AFTER_ACCESS(address, bytes) ON_SUCCESS(gmt_call_accessible((address), (bytes)))
#define AFTER_VARIABLE(kind, address, bytes, family, owner)                                                            \
    if (code == CUDA_SUCCESS && (address))                                                                             \
        gmt_call_variable(&call, GMT_KIND_##kind, *(address), (bytes) ? *(bytes) : 0, GMT_FAMILY_##family, (owner));   \
    else if (code != CUDA_SUCCESS && code != CUDA_ERROR_NOT_FOUND) /* runtimes ask for what need not be there */       \
        gmt_call_failed(&call, 0);

#define AFTER_POOL(handle, properties) ON_SUCCESS(gmt_call_pool_created(&call, (handle), (properties)))
#define AFTER_POOL_OF(handle, device) ON_SUCCESS(gmt_call_pool_told((handle), (device)))
#define AFTER_POOL_SET(handle, attribute, value) ON_SUCCESS(gmt_call_pool_set(&call, (handle), (attribute), (value)))
#define AFTER_POOL_TRIMMED(handle) ON_SUCCESS(gmt_call_pool_trimmed(&call, (handle), -1))
#define AFTER_GRAPHS_TRIMMED(device) ON_SUCCESS(gmt_call_pool_trimmed(&call, NULL, (device)))
#define AFTER_LIMIT(limit, value) ON_SUCCESS(gmt_call_limit_end(&call, (limit), (value)))

#define AFTER_GRAPH_ALLOCATES(graph, address, bytes)                                                                   \
    ON_SUCCESS(gmt_call_graph_allocates(&call, (graph), (address), (bytes)))
#define AFTER_GRAPH_FREES(graph, address) ON_SUCCESS(gmt_call_graph_frees(&call, (graph), (address)))
#define AFTER_GRAPH_NODE(graph, parameters) ON_SUCCESS(gmt_call_graph_node(&call, (graph), (parameters)))
#define AFTER_GRAPH_JOINED(parent, child) ON_SUCCESS(gmt_call_graph_joined(&call, (parent), (child)))
#define AFTER_GRAPH_CLONED(clone, graph) ON_SUCCESS(gmt_call_graph_made(&call, GMT_KIND_GRAPH, (clone), (graph)))
#define AFTER_INSTANTIATED(executable, graph)                                                                          \
    ON_SUCCESS(gmt_call_graph_made(&call, GMT_KIND_GRAPH_EXEC, (executable), (graph)))
#define AFTER_GRAPH_LAUNCHED(executable) ON_SUCCESS(gmt_call_graph_launched(&call, (executable)))
#define AFTER_CAPTURE_BEGUN(stream, graph) ON_SUCCESS(gmt_call_capture_begun((stream), (graph)))
#define AFTER_CAPTURE_ENDED(graph) gmt_call_capture_ended(&call, (graph));

#define AFTER_CONTEXT_CREATED(handle, device) ON_SUCCESS(gmt_call_context_retained(&call, (handle), (device), false))
#define AFTER_CONTEXT_RETAINED(handle) ON_SUCCESS(gmt_call_context_retained(&call, (handle), -1, false))
#define AFTER_CONTEXT_RELEASED(handle) ON_SUCCESS(gmt_call_context_released(&call, (handle), -1, GMT_CONTEXT_DESTROYED))
#define AFTER_CONTEXT_DESTROYED(handle) ON_SUCCESS(gmt_call_context_ended(&call, (handle), -1, GMT_CONTEXT_DESTROYED))
#define AFTER_PRIMARY_RETAINED(handle, device) ON_SUCCESS(gmt_call_context_retained(&call, (handle), (device), true))
#define AFTER_PRIMARY_RELEASED(device)                                                                                 \
    ON_SUCCESS(gmt_call_context_released(&call, NULL, (device), GMT_CONTEXT_RELEASED))
#define AFTER_PRIMARY_RESET(device) ON_SUCCESS(gmt_call_context_ended(&call, NULL, (device), GMT_CONTEXT_RESET))

/* For the table's expressions. */
#define IF_FULL(bytes) (code == CUDA_ERROR_OUT_OF_MEMORY ? (bytes) : 0)
#define PER_THREAD(stream) ((stream) ? (stream) : CU_STREAM_PER_THREAD)

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
