/* The walk over environ. */
#include "base/environment.h"

#include <stddef.h>
#include <sys/auxv.h>
#include <unistd.h>

const char *gmt_environment_value(const char *name)
{
    if (getauxval(AT_SECURE))
        return NULL;
    for (char **variable = environ; variable && *variable; variable++) {
        size_t i = 0;
        while (name[i] != '\0' && (*variable)[i] == name[i])
            i++;
        if (name[i] == '\0' && (*variable)[i] == '=')
            return *variable + i + 1;
    }
    return NULL;
}
