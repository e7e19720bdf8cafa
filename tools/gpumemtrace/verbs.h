/* The verbs. Each takes the words after its name and returns the command's exit code. */
#ifndef GMT_TOOLS_VERBS_H
#define GMT_TOOLS_VERBS_H

#define GMT_VERB(name, arguments, help) int gmt_##name##_verb(int count, char **words);
#include "verbs.def"
#undef GMT_VERB

#endif
