/* What the tracer saw and what it could not see, in the text format. */
#include "report/text_sections.h"
#include "report/words.h"

#define CLIENTS_SHOWN 8u

static const char *client_words(struct gmt_heap *heap, const struct gmt_client *client)
{
    static const char *const doors[GMT_DOOR_COUNT] = {"by link", "by dlsym", "by cuGetProcAddress"};
    const char *ways = "";
    for (unsigned door = 0; door < GMT_DOOR_COUNT; door++)
        if (client->uses[door])
            ways = gmt_heap_print(heap, "%s%s%s %s", ways, *ways ? ", " : "",
                                  gmt_words_number(heap, client->uses[door]), doors[door]);
    return gmt_heap_print(heap, "%s (%s)", client->module ? client->module->name : "code that no file backs",
                          *ways ? ways : "no look-up");
}

void gmt_text_coverage(struct gmt_text_writer *writer, const struct gmt_process *process)
{
    struct gmt_heap *heap = writer->heap;
    uint64_t calls = 0;
    const char *clients = "";
    for (unsigned i = 0; i < process->call_count; i++)
        calls += process->calls[i].calls;
    unsigned shown = process->client_count < CLIENTS_SHOWN ? process->client_count : CLIENTS_SHOWN;
    for (unsigned i = 0; i < shown; i++)
        clients = gmt_heap_print(heap, "%s%s%s", clients, i ? "; " : "", client_words(heap, &process->clients[i]));
    if (shown < process->client_count)
        clients = gmt_heap_print(heap, "%s; and %u more", clients, process->client_count - shown);
    gmt_lines_space(&writer->lines);
    gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN, "Coverage: %s to %s went through the hooks%s%s",
                  gmt_words_count(heap, calls, "call"), gmt_words_count(heap, process->call_count, "function"),
                  *clients ? ". The driver's functions were asked for by " : ".", clients);
    uint64_t bypassed = gmt_process_bypassed(process);
    if (bypassed) {
        const char *name = gmt_trace_view_string(process->view, process->view->header.bypassed_name);
        gmt_lines_add(&writer->lines, GMT_STYLE_BAD,
                      "  %s led past the hooks, the first to %s: what was taken through them is not in this report.",
                      gmt_words_count(heap, bypassed, "look-up"), name ? name : "a function that is not known");
    }
    for (unsigned i = 0; i < process->note_count; i++)
        gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN, "  %s", process->notes[i]);
    for (unsigned i = 0; i < process->module_count; i++)
        if (process->modules[i].trouble)
            gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN, "  No %s for code of %s: %s.",
                          process->modules[i].lacks_lines_only ? "lines" : "names", process->modules[i].path,
                          process->modules[i].trouble);
    if (process->jit_trouble)
        gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN, "  No names for code that no file backs: %s.",
                      process->jit_trouble);
    if (process->view->header.own_bytes)
        gmt_lines_add(&writer->lines, GMT_STYLE_FAINT, "  The tracer used %s of host memory and none of the device's.",
                      gmt_words_size(heap, process->view->header.own_bytes));
}
