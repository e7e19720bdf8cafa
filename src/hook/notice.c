/* Writing to the program's standard error without stdio. */
#include "hook/notice.h"

#include <string.h>
#include <sys/stat.h>

#include "base/syscall.h"
#include "base/text.h"

static struct stat at_start;
static bool was_open;

void gmt_notice_start(void)
{
    was_open = gmt_syscall(SYS_fstat, 2, &at_start) == 0;
}

bool gmt_notice_usable(void)
{
    struct stat now;
    return was_open && gmt_syscall(SYS_fstat, 2, &now) == 0 && now.st_dev == at_start.st_dev &&
           now.st_ino == at_start.st_ino;
}

void gmt_notice_write(const char *text)
{
    if (gmt_notice_usable())
        gmt_sys_write_all(2, text, strlen(text));
}

void gmt_notice_line(const char *sentence)
{
    char buffer[4096];
    struct gmt_text line = gmt_text_over(buffer, sizeof buffer - 1);
    gmt_text_add(&line, "gpumemtrace: ");
    gmt_text_add(&line, sentence);
    for (size_t i = 0; i < line.length; i++) /* names of files and settings must not steer the terminal */
        buffer[i] = (unsigned char)buffer[i] < ' ' || buffer[i] == 0x7f ? '?' : buffer[i];
    buffer[line.length] = '\n';
    buffer[line.length + 1] = '\0';
    gmt_notice_write(buffer);
}
