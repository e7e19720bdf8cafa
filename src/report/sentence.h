/* One sentence for a person: why something could not be done, and what to do. Filled by the function that decides. */
#ifndef GMT_REPORT_SENTENCE_H
#define GMT_REPORT_SENTENCE_H

#define GMT_SENTENCE_BYTES 2048

/* Without the leading program name and without a line end; cut when it does not fit. */
struct gmt_sentence {
    char text[GMT_SENTENCE_BYTES];
};

/* Formats as printf. Always returns -GMT_E_INVALID, so that a refusal is one statement. */
int gmt_sentence_refuse(struct gmt_sentence *sentence, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
