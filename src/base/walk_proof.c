/* See walk_proof.h. The words come from what the thread remembers of its last walk. */
#include "base/walk_proof.h"

#include "base/unwind_state.h"

/* Words are compared in steps with one branch each, so that no load waits for another; innermost first, where places of
 * one function differ. */
#define PROOF_STEP 4u
_Static_assert(GMT_WALK_PROOF_WORDS % PROOF_STEP == 0, "whole steps");

static bool prove(struct gmt_walk_proof *proof, uintptr_t slot, uintptr_t word)
{
    uintptr_t distance = slot - proof->from.sp;
    if (proof->word_count == GMT_WALK_PROOF_WORDS || distance > UINT32_MAX - sizeof(uintptr_t) ||
        distance % sizeof(uintptr_t) != 0)
        return false;
    proof->distances[proof->word_count] = (uint32_t)distance;
    proof->words[proof->word_count++] = gmt_strip_address(word);
    return true;
}

/* Whether a frame further out than `index` goes by the frame pointer of that frame: before another one is loaded. */
static bool fp_counts(const struct gmt_walk_state *states, uint32_t count, uint32_t index)
{
    for (uint32_t i = index + 1; i < count && !states[i].fp_loaded; i++) {
        if (states[i].uses_fp)
            return true;
    }
    return false;
}

bool gmt_walk_proof_of_last(const struct gmt_registers *from, struct gmt_walk_proof *proof_out)
{
    const struct gmt_walk_memory *memory = &gmt_unwind_memory;
    const struct gmt_walk_state *states = memory->states[memory->last];
    if (memory->busy || memory->count == 0 || states[0].pc != from->pc || states[0].sp != from->sp)
        return false;
    proof_out->from = *from;
    proof_out->word_count = 0;
    proof_out->needs_fp = states[0].uses_fp || fp_counts(states, memory->count, 0);
    for (uint32_t i = 1; i < memory->count; i++) {
        const struct gmt_walk_state *state = &states[i];
        if (!prove(proof_out, state->sp + (uintptr_t)(intptr_t)state->pc_slot, state->pc))
            return false;
        if (state->fp_loaded && (state->uses_fp || fp_counts(states, memory->count, i)) &&
            !prove(proof_out, state->sp + (uintptr_t)(intptr_t)state->fp_slot, state->fp))
            return false;
    }
    if (proof_out->word_count == 0)
        return false;
    while (proof_out->word_count % PROOF_STEP != 0) { /* the last word again */
        uint32_t last = proof_out->word_count - 1;
        if (!prove(proof_out, from->sp + proof_out->distances[last], proof_out->words[last]))
            return false;
    }
    return true;
}

/* The proof may be changing at this moment: whatever it holds, nothing outside of the thread's stack is read, and the
 * caller throws the answer away. */
__attribute__((no_sanitize("thread"))) bool gmt_walk_proof_holds(const struct gmt_walk_proof *proof,
                                                                 const struct gmt_registers *from)
{
    if (proof->from.pc != from->pc || proof->from.sp != from->sp || (proof->needs_fp && proof->from.fp != from->fp))
        return false;
#if defined(__aarch64__)
    if (proof->from.lr != from->lr)
        return false;
#endif
    const struct gmt_stack_window *window = &gmt_unwind_window;
    if (from->sp < window->low || from->sp >= window->high)
        return false;
    uintptr_t room = window->high - from->sp;
    const char *sp = (const char *)from->sp;
    uintptr_t different = 0;
    for (uint32_t i = 0; i < proof->word_count && different == 0; i += PROOF_STEP) {
        for (uint32_t j = i; j < i + PROOF_STEP; j++) {
            uintptr_t distance = proof->distances[j];
            bool inside = distance < room;
            uintptr_t word = *(const uintptr_t *)(sp + (inside ? distance : 0));
            different |= (uintptr_t)!inside | (gmt_strip_address(word) ^ proof->words[j]);
        }
    }
    return different == 0;
}
