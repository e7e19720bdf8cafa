/* Failure scripts: which calls fail, wait, take longer or are missing (README.md has the grammar).
 */
#ifndef GMT_SIMULATOR_SCRIPT_H
#define GMT_SIMULATOR_SCRIPT_H

#include <stdbool.h>
#include <stdint.h>

/* What the script says to the `nth` call (from 1) of row `index`: a result to return at once, or negative to go on,
 * after it has waited as long as the script asks. Reads GPUMEMTRACE_SIMULATE_SCRIPT at the first call. Thread-safe. */
int gmt_sim_script_ask(int index, uint64_t nth);

/* The bytes of the device that a call of row `index` costs, negative for what it gives back. Thread-safe. */
int64_t gmt_sim_script_cost(int index);

/* Whether the script withholds row `index` from cuGetProcAddress. Thread-safe. */
bool gmt_sim_script_missing(int index);

/* False when the script could not be read; a sentence on standard error has said why. Thread-safe. */
bool gmt_sim_script_valid(void);

#endif
