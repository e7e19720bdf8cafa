/* The gpumemtrace command. Verbs are in verbs.def, options in flags.def. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "arguments.h"
#include "complaint.h"
#include "report/sentence.h"
#include "sink.h"
#include "verbs.h"

/* The help goes to a pager or a pipe: a failure to write it is an error like any other. */
static int finish_help(void)
{
    struct gmt_sentence why;
    if (gmt_stream_finish(stdout, "standard output", &why))
        return 0;
    gmt_complain("%s", why.text);
    return GMT_EXIT_OWN_ERROR;
}

static int unknown_verb(const char *word)
{
    const char *nearest = gmt_verb_nearest(word);
    if (*word == '\0')
        gmt_complain("the verb is empty; gpumemtrace help lists them");
    else if (strchr(word, '/'))
        gmt_complain("%s is not a verb; to trace a program write: gpumemtrace run -- %s", word, word);
    else if (nearest)
        gmt_complain("%s is not a verb; the nearest is %s (gpumemtrace help lists them)", word, nearest);
    else
        gmt_complain("%s is not a verb; gpumemtrace help lists them", word);
    return GMT_EXIT_OWN_ERROR;
}

static int help(const char *word)
{
    if (!word) {
        gmt_help_command(stdout);
        return finish_help();
    }
    enum gmt_verb verb = gmt_verb_find(word);
    if (verb == GMT_VERB_COUNT)
        return unknown_verb(word);
    gmt_help_verb(verb, stdout);
    return finish_help();
}

/* --help among the options of a verb; behind the program of `run` it is the program's. */
static bool asks_for_help(int count, char **words)
{
    for (int i = 0; i < count && words[i][0] == '-' && strcmp(words[i], "--") != 0; i++)
        if (strcmp(words[i], "--help") == 0 || strcmp(words[i], "-h") == 0)
            return true;
    return false;
}

/* Closed standard descriptors would be given to the next files, and a complaint would end up in a report. The program
 * finds them closed as before. Writing to standard output fails as on a closed one; whoever closes standard error wants
 * silence. */
static void occupy_standard_descriptors(void)
{
    for (int number = 0; number <= 2; number++)
        if (fcntl(number, F_GETFD) < 0)
            open("/dev/null", (number == 2 ? O_WRONLY : O_RDONLY) | O_CLOEXEC);
}

int main(int count, char **words)
{
    static int (*const verbs[GMT_VERB_COUNT])(int, char **) = {
#define GMT_VERB(name, arguments, help) gmt_##name##_verb,
#include "verbs.def"
#undef GMT_VERB
    };
    occupy_standard_descriptors();
    if (count < 2) {
        gmt_help_command(stderr);
        return GMT_EXIT_OWN_ERROR;
    }
    const char *word = words[1];
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0)
        return help(words[2]);
    if (strcmp(word, "--version") == 0) {
        puts("gpumemtrace " GMT_VERSION);
        return finish_help();
    }
    enum gmt_verb verb = gmt_verb_find(word);
    if (verb == GMT_VERB_COUNT)
        return unknown_verb(word);
    if (asks_for_help(count - 2, words + 2))
        return help(word);
    return verbs[verb](count - 2, words + 2);
}
