/* What every question of driver_facts uses: the driver's functions, lines of output, free memory. */
#ifndef FACTS_H
#define FACTS_H

#include <cuda.h>
#include <stddef.h>

#define KIB ((size_t)1024)
#define MIB (KIB * 1024)
#define GIB (MIB * 1024)

/* One question, asked in a process of its own that has not touched CUDA yet. A list ends with a name of NULL. */
struct part {
    const char *name;
    void (*ask)(int argument);
    int argument;
};

extern const struct part vmm_parts[], ipc_parts[], capture_parts[], graph_parts[], object_parts[], free_parts[],
    size_parts[], pool_parts[], limit_parts[];

/* The driver's functions by the names of cuda.h; one that the driver lacks gives 500 (CUDA_ERROR_NOT_FOUND). */
struct driver {
#define F(name) __typeof__(name) *name;
#include "functions.def"
#undef F
};
extern struct driver drv;

/* Any function of the driver by its exported name; NULL when it has none. */
void *driver_find(const char *name);

/* Writes one line "fact <part>: <text>" at once. */
__attribute__((format(printf, 1, 2))) void tell(const char *format, ...);

/* Ends the question with a line "cannot: <call>=<code>" unless the code is 0. */
void must(const char *call, CUresult code);
#define MUST(call, ...) must(#call, drv.call(__VA_ARGS__))

/* Writes "<label> <call>=<code>" and gives the code back. */
CUresult see(const char *label, const char *call, CUresult code);
#define SEE(label, call, ...) see(label, #call, drv.call(__VA_ARGS__))

/* Initialises the driver, retains the primary context of device 0 and makes it current, or ends the question. */
void device_open(void);
/* Resets or, with `release`, gives back the primary context; then retains it again and makes it current. */
void device_reopen(int release);

/* Free device memory is remembered by memory_mark; memory_tell writes how much less there is now, and marks again. */
void memory_mark(void);
long long memory_taken(void);
void memory_tell(const char *label);

/* A second process, forked before CUDA is initialised; both ends of a socket. It never outlives the question. */
struct peer {
    int socket;
    int is_second;
};
struct peer peer_start(void);
void peer_send(struct peer peer, const void *data, size_t size, int descriptor);
/* Gives the descriptor that came along, or -1; ends the question when the other side is gone. */
int peer_receive(struct peer peer, void *data, size_t size);

/* Device memory by handle: `exportable` asks for a handle that can become a file descriptor. */
CUmemAllocationProp vmm_properties(int exportable);
CUmemAccessDesc vmm_access(void);

extern const char EMPTY_KERNEL[];

#endif
