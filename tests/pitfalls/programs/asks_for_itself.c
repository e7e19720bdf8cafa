/* asks_for_itself VARIANT VERSION: a runtime that finds everything through cuGetProcAddress (v1 or _v2), the function
 * itself included, with the version that it was built for. */
#include <string.h>

#include "program.h"

typedef CUresult v1_fn(const char *, void **, int, cuuint64_t);
typedef CUresult v2_fn(const char *, void **, int, cuuint64_t, CUdriverProcAddressQueryResult *);

static int version;
static v1_fn *ask_v1;
static v2_fn *ask_v2;

static void *ask(const char *name)
{
    void *found = NULL;
    CUdriverProcAddressQueryResult status = 77;
    CUresult code = ask_v2 ? ask_v2(name, &found, version, 0, &status) : ask_v1(name, &found, version, 0);
    printf("%s: code %d, status %d, %s\n", name, (int)code, ask_v2 ? (int)status : 0, found ? "found" : "none");
    return found;
}

int main(int argc, char **argv)
{
    void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (argc != 3 || !driver)
        return 2;
    version = atoi(argv[2]);
    if (strcmp(argv[1], "v1") == 0)
        ask_v1 = (v1_fn *)dlsym(driver, "cuGetProcAddress");
    else
        ask_v2 = (v2_fn *)dlsym(driver, "cuGetProcAddress_v2");
    if (!ask_v1 && !ask_v2) {
        printf("no such function\n");
        return 0;
    }
    void *itself = ask("cuGetProcAddress"); /* from 12000 on the answer has the signature of _v2 */
    ask_v1 = version < 12000 ? (v1_fn *)itself : NULL;
    ask_v2 = version < 12000 ? NULL : (v2_fn *)itself;
    if (!itself)
        return 0;
    CUresult (*init)(unsigned) = (CUresult(*)(unsigned))ask("cuInit");
    CUresult (*retain)(CUcontext *, CUdevice) = (CUresult(*)(CUcontext *, CUdevice))ask("cuDevicePrimaryCtxRetain");
    CUresult (*set)(CUcontext) = (CUresult(*)(CUcontext))ask("cuCtxSetCurrent");
    CUresult (*alloc)(CUdeviceptr *, size_t) = (CUresult(*)(CUdeviceptr *, size_t))ask("cuMemAlloc");
    CUresult (*release)(CUdeviceptr) = (CUresult(*)(CUdeviceptr))ask("cuMemFree");
    ask("cuNoSuchFunction");
    CUcontext context;
    CUdeviceptr kept, freed;
    CU(init(0));
    CU(retain(&context, 0));
    CU(set(context));
    CU(alloc(&kept, 3000));
    CU(alloc(&freed, 500));
    CU(release(freed));
    return 0;
}
