#include "size.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool gmt_size_parse(const char *text, uint64_t *bytes_out)
{
    static const char units[] = "KMGT";
    char *end;
    if (!isdigit((unsigned char)text[0]) || strcspn(text, "xXeEpP") < strspn(text, "0123456789.xXeEpP"))
        return false; /* strtod takes hexadecimal numbers and exponents, people who type sizes do not */
    double number = strtod(text, &end);
    if (*end != '\0') {
        const char *unit = strchr(units, toupper((unsigned char)*end));
        if (!unit || (end[1] != '\0' && strcasecmp(end + 1, "iB") != 0 && strcasecmp(end + 1, "B") != 0))
            return false;
        number *= (double)(UINT64_C(1) << (10 * (unit - units + 1)));
    }
    if (number < 1 || number >= 18446744073709551616.0)
        return false;
    *bytes_out = (uint64_t)number;
    return true;
}
