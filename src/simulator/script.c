/* Reads failure scripts and plays them. A script is read once; rules never change while calls arrive. */
#include "simulator/script.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "simulator/arrivals.h"
#include "simulator/error_text.h"
#include "simulator/simulator.h"
#include "simulator/state.h"

enum { RULES_MAX = 256, WORD_MAX = 128, BLOCK_SECONDS = 10, FILE_MAX = 1 << 16 };

enum verb { FAIL, BLOCK, DELAY, MISSING, COST, REFUND, VERBS };

/* The calls from `first` to `last`, or every `every`th when that is not 0. */
struct rule {
    enum verb verb;
    int row;
    uint64_t first, last, every;
    int value;      /* FAIL: the result; DELAY: milliseconds */
    uint64_t bytes; /* COST and REFUND */
    int until_row;  /* BLOCK: goes on when call `until` of this row has arrived */
    uint64_t until;
};

static struct rule rules[RULES_MAX];
static int rule_count;
static _Atomic bool any_rules, any_blocks, any_costs;
static bool valid = true;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;

static bool complain(const char *rule, const char *why)
{
    fprintf(stderr, "gpumemtrace simulator: cannot use the failure script: %s in '%s'\n", why, rule);
    return false;
}

static bool read_number(const char *word, uint64_t *number_out)
{
    char *end;
    errno = 0;
    *number_out = strtoull(word, &end, 10);
    return word[0] >= '0' && word[0] <= '9' && *end == '\0' && errno == 0;
}

/* N or N-M. */
static bool read_range(char *word, struct rule *rule)
{
    char *dash = strchr(word, '-');
    if (dash)
        *dash = '\0';
    bool good = read_number(word, &rule->first) && (!dash || read_number(dash + 1, &rule->last));
    if (!dash)
        rule->last = rule->first;
    return good && rule->first > 0 && rule->last >= rule->first;
}

static bool read_result(const char *word, int *result_out)
{
    uint64_t number;
    if (read_number(word, &number) && number < 1000)
        *result_out = (int)number;
    else
        *result_out = gmt_sim_error_code(word);
    return *result_out >= 0;
}

/* The words of one rule after its verb and name. `text` is the rule as written, for the complaint. */
static bool read_operands(struct rule *rule, char **words, int count, const char *text)
{
    int at = 0;
    if (rule->verb == MISSING)
        return count == 0 || complain(text, "too many words");
    if (rule->verb == COST || rule->verb == REFUND)
        return (count == 1 && gmt_sim_size_read(words[0], &rule->bytes)) || complain(text, "no size such as 8MiB");
    if (count >= 2 && rule->verb != BLOCK && strcmp(words[0], "every") == 0) {
        if (!read_number(words[1], &rule->every) || rule->every == 0)
            return complain(text, "no number after 'every'");
        at = 2;
    } else if (count < 1 || !read_range(words[at++], rule)) {
        return complain(text, "no call number (N or N-M, from 1)");
    }
    uint64_t number = 0;
    if (rule->verb == FAIL)
        return (count == at + 1 && read_result(words[at], &rule->value)) || complain(text, "no result code");
    if (rule->verb == DELAY) {
        if (count != at + 1 || !read_number(words[at], &number) || number > 60000)
            return complain(text, "no time in milliseconds (up to 60000)");
        rule->value = (int)number;
        return true;
    }
    if (count != at + 3 || strcmp(words[at], "until") != 0 || !read_number(words[at + 2], &rule->until))
        return complain(text, "not 'until NAME M'");
    rule->until_row = gmt_sim_entry_find(words[at + 1]);
    return rule->until_row >= 0 || complain(text, "an unknown driver function");
}

static bool read_rule(char *text)
{
    static const char *const verbs[] = {[FAIL] = "fail",       [BLOCK] = "block", [DELAY] = "delay",
                                        [MISSING] = "missing", [COST] = "cost",   [REFUND] = "refund"};
    char whole[WORD_MAX], *words[8], *rest = NULL;
    int count = 0;
    snprintf(whole, sizeof whole, "%s", text);
    for (char *word = strtok_r(text, " \t\r", &rest); word; word = strtok_r(NULL, " \t\r", &rest)) {
        if (count == 8)
            return complain(whole, "too many words");
        words[count++] = word;
    }
    if (count == 0 || words[0][0] == '#')
        return true;
    struct rule rule = {0};
    int verb = 0;
    while (verb < VERBS && strcmp(words[0], verbs[verb]) != 0)
        verb++;
    if (verb == VERBS)
        return complain(whole, "a verb other than fail, block, delay, missing, cost, refund");
    rule.verb = (enum verb)verb;
    rule.row = count > 1 ? gmt_sim_entry_find(words[1]) : -1;
    if (rule.row < 0)
        return complain(whole, "an unknown driver function (exported names, such as cuMemAlloc_v2)");
    if (!read_operands(&rule, words + 2, count - 2, whole))
        return false;
    if (rule_count == RULES_MAX)
        return complain(whole, "more than 256 rules");
    rules[rule_count++] = rule;
    return true;
}

static bool read_rules(char *text)
{
    char *rest = NULL;
    rule_count = 0;
    bool good = true;
    for (char *rule = strtok_r(text, ";\n", &rest); rule && good; rule = strtok_r(NULL, ";\n", &rest))
        good = read_rule(rule);
    if (!good)
        rule_count = 0;
    bool blocks = false, costs = false;
    for (int i = 0; i < rule_count; i++) {
        blocks |= rules[i].verb == BLOCK;
        costs |= rules[i].verb == COST || rules[i].verb == REFUND;
    }
    atomic_store(&any_blocks, blocks);
    atomic_store(&any_costs, costs);
    atomic_store(&any_rules, rule_count > 0);
    return good;
}

/* The script in `source`: the text itself, or the file after an @. */
static bool load(const char *source)
{
    if (source[0] != '@') {
        char *text = strdup(source);
        bool good = text && read_rules(text);
        free(text);
        return good;
    }
    FILE *file = fopen(source + 1, "re");
    char *text = file ? calloc(1, FILE_MAX) : NULL;
    if (!text) {
        if (file)
            fclose(file);
        return complain(source, "a file that cannot be read");
    }
    size_t bytes = fread(text, 1, FILE_MAX - 1, file);
    fclose(file);
    bool good = bytes < FILE_MAX - 1 ? read_rules(text) : complain(source, "a file of 64 KiB or more");
    free(text);
    return good;
}

static void load_environment(void)
{
    const char *source = getenv("GPUMEMTRACE_SIMULATE_SCRIPT");
    if (source && source[0])
        valid = load(source);
}

static void start(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load_environment);
}

static bool applies(const struct rule *rule, int row, uint64_t nth)
{
    if (rule->row != row || rule->verb == COST || rule->verb == REFUND)
        return false;
    return rule->every ? nth % rule->every == 0 : nth >= rule->first && nth <= rule->last;
}

/* Bounded, so that a script cannot hang a test for ever. */
static void wait_for(const struct rule *rule)
{
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += BLOCK_SECONDS;
    pthread_mutex_lock(&lock);
    int timed_out = 0;
    while (gmt_sim_entry_calls(rule->until_row) < rule->until && !timed_out)
        timed_out = pthread_cond_timedwait(&arrived, &lock, &end);
    pthread_mutex_unlock(&lock);
}

int gmt_sim_script_ask(int index, uint64_t nth)
{
    start();
    if (!atomic_load_explicit(&any_rules, memory_order_acquire))
        return -1;
    if (atomic_load(&any_blocks)) {
        pthread_mutex_lock(&lock);
        pthread_cond_broadcast(&arrived);
        pthread_mutex_unlock(&lock);
    }
    for (int i = 0; i < rule_count; i++) {
        if (!applies(&rules[i], index, nth))
            continue;
        if (rules[i].verb == FAIL)
            return rules[i].value;
        if (rules[i].verb == DELAY)
            usleep((useconds_t)rules[i].value * 1000);
        if (rules[i].verb == BLOCK)
            wait_for(&rules[i]);
    }
    return -1;
}

int64_t gmt_sim_script_cost(int index)
{
    int64_t bytes = 0;
    if (!atomic_load_explicit(&any_costs, memory_order_acquire))
        return 0;
    for (int i = 0; i < rule_count; i++) {
        if (rules[i].row == index && rules[i].verb == COST)
            bytes += (int64_t)rules[i].bytes;
        if (rules[i].row == index && rules[i].verb == REFUND)
            bytes -= (int64_t)rules[i].bytes;
    }
    return bytes;
}

bool gmt_sim_script_missing(int index)
{
    start();
    for (int i = 0; i < rule_count; i++) {
        if (rules[i].verb == MISSING && rules[i].row == index)
            return true;
    }
    return false;
}

bool gmt_sim_script_valid(void)
{
    start();
    return valid;
}

int gpumemtrace_simulator_set_script(const char *text)
{
    start();
    char *copy = strdup(text ? text : "");
    valid = copy && read_rules(copy);
    free(copy);
    return valid ? 0 : -1;
}
