/* Names and sentences of the driver's error codes. */
#include "simulator/error_text.h"

#include <string.h>

#include "simulator/body.h"

static const struct {
    int code;
    const char *name, *sentence;
} errors[] = {
#define GMT_SIM_ERROR(code, name, sentence) {code, name, sentence},
#include "simulator/driver_errors.def"
#undef GMT_SIM_ERROR
};

enum { ERRORS = sizeof errors / sizeof *errors };

int gmt_sim_error_code(const char *name)
{
    for (int i = 0; i < ERRORS; i++) {
        if (strcmp(errors[i].name, name) == 0)
            return errors[i].code;
    }
    return -1;
}

static int find(CUresult code)
{
    for (int i = 0; i < ERRORS; i++) {
        if (errors[i].code == (int)code)
            return i;
    }
    return -1;
}

GMT_SIM_BODY(cuGetErrorName)(CUresult code, const char **text)
{
    int at = find(code);
    if (!text)
        return CUDA_ERROR_INVALID_VALUE;
    *text = at < 0 ? NULL : errors[at].name;
    return at < 0 ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

GMT_SIM_BODY(cuGetErrorString)(CUresult code, const char **text)
{
    int at = find(code);
    if (!text)
        return CUDA_ERROR_INVALID_VALUE;
    *text = at < 0 ? NULL : errors[at].sentence;
    return at < 0 ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}
