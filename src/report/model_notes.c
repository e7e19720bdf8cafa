/* What the tracer could not do, in sentences. */
#include "report/model.h"

#include <string.h>

#include "report/model_build.h"
#include "report/words.h"

void gmt_model_notes(struct gmt_process *process, struct gmt_heap *heap)
{
    static const char *const sentences[GMT_TROUBLE_COUNT] = {
#define X(name, sentence) sentence,
        GMT_TRACE_TROUBLES(X)
#undef X
    };
    process->notes = gmt_heap_take(heap, GMT_TROUBLE_COUNT + process->view->note_count + 3, sizeof *process->notes);
    process->doubt_count = process->missing_count = process->view->note_count;
    for (unsigned i = 0; i < process->view->note_count; i++)
        process->notes[process->note_count++] = process->view->notes[i];
    for (unsigned i = 0; i < GMT_TROUBLE_COUNT; i++) {
        uint64_t count = process->view->header.troubles[i];
        const char *number = strstr(sentences[i], "%llu");
        if (count == 0 || !number)
            continue;
        process->doubt_count += i != GMT_TROUBLE_STACKS_CUT; /* ordinary with Python, and no figure is wrong for it */
        process->missing_count += i != GMT_TROUBLE_STACKS_CUT && i != GMT_TROUBLE_ADDRESS_REUSED;
        process->notes[process->note_count++] =
            gmt_heap_print(heap, "%.*s%llu%s.", (int)(number - sentences[i]), sentences[i], (unsigned long long)count,
                           number + strlen("%llu"));
    }
    if (process->view->header.flags & GMT_TRACE_ANONYMOUS)
        process->notes[process->note_count++] = "The trace is in anonymous memory: it would not have survived a kill.";
    if (process->freeing_count)
        process->notes[process->note_count++] =
            gmt_heap_print(heap, "A free of %s was under way at that moment; counted as done.",
                           gmt_words_count(heap, process->freeing_count, "block"));
    if (process->destroying_count)
        process->notes[process->note_count++] =
            gmt_heap_print(heap, "The destruction of %s was under way at that moment; counted as done.",
                           gmt_words_count(heap, process->destroying_count, "object"));
}
