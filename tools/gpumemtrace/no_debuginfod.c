/* libdw asks debuginfod servers for what it does not find, and loads libdebuginfod for it. A report is made offline:
 * these take the place of libdw's own object with the same symbols (libdwfl/debuginfod-client.c), which then is not
 * linked. */
#include <stddef.h>

struct Dwfl;

int __libdwfl_debuginfod_find_executable(struct Dwfl *dwfl, const unsigned char *build_id, size_t bytes);
int __libdwfl_debuginfod_find_debuginfo(struct Dwfl *dwfl, const unsigned char *build_id, size_t bytes);
void __libdwfl_debuginfod_end(void *client);
void *dwfl_get_debuginfod_client(struct Dwfl *dwfl);

int __libdwfl_debuginfod_find_executable(struct Dwfl *dwfl, const unsigned char *build_id, size_t bytes)
{
    (void)dwfl, (void)build_id, (void)bytes;
    return -1;
}

int __libdwfl_debuginfod_find_debuginfo(struct Dwfl *dwfl, const unsigned char *build_id, size_t bytes)
{
    (void)dwfl, (void)build_id, (void)bytes;
    return -1;
}

void __libdwfl_debuginfod_end(void *client)
{
    (void)client;
}

void *dwfl_get_debuginfod_client(struct Dwfl *dwfl)
{
    (void)dwfl;
    return NULL;
}
