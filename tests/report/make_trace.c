/* make_trace SAMPLE FILE [BYTES]: writes a sample trace file, whole or its first BYTES, for tests of the command. */
#include <stdio.h>
#include <stdlib.h>

#include "trace_fixture.h"

int main(int count, char **arguments)
{
    static struct fixture fixture;
    if (count < 3 || !fixture_sample(&fixture, arguments[1])) {
        fprintf(stderr, "usage: make_trace SAMPLE FILE [BYTES]\n");
        return 2;
    }
    size_t bytes = count > 3 ? strtoul(arguments[3], NULL, 10) : fixture_size(&fixture);
    fixture_write(&fixture, arguments[2], bytes);
    return 0;
}
