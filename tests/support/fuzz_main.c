/* Runs a fuzz target over files without a fuzzer: FILE... or, for folders, every file in them. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

static unsigned inputs;

static void run_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        exit(2);
    }
    static uint8_t data[1 << 20];
    size_t bytes = fread(data, 1, sizeof data, file);
    fclose(file);
    LLVMFuzzerTestOneInput(data, bytes);
    inputs++;
}

static void run_path(const char *path)
{
    DIR *folder = opendir(path);
    if (!folder) {
        run_file(path);
        return;
    }
    for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        char name[4096];
        if (entry->d_name[0] == '.')
            continue;
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        run_file(name);
    }
    closedir(folder);
}

int main(int argc, char **argv)
{
    LLVMFuzzerTestOneInput((const uint8_t *)"", 0);
    for (int i = 1; i < argc; i++)
        run_path(argv[i]);
    printf("%u inputs\n", inputs);
    return inputs > 0 ? 0 : 1;
}
