#include "report/writers.h"

#include <string.h>

const struct gmt_writer gmt_writers[] = {
#define GMT_FORMAT(name, help) {#name, help, gmt_write_##name},
#include "report/formats.def"
#undef GMT_FORMAT
    {NULL, NULL, NULL},
};

const struct gmt_writer *gmt_writer_find(const char *name)
{
    for (const struct gmt_writer *writer = gmt_writers; writer->name; writer++)
        if (strcmp(writer->name, name) == 0)
            return writer;
    return NULL;
}
