/* What only the program that starts the questions calls. */
#ifndef FACTS_PROCESS_H
#define FACTS_PROCESS_H

/* Names the question of this process, for the lines it writes. */
void process_begin(const char *question);

#endif
