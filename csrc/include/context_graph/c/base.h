/* What all families share: status codes and their messages, backends, rows of numbers.
 *
 * Every function that can fail returns a cgk_status and lets no exception through. Arrays belong to the caller, inputs are not
 * changed, and outputs are whole only where the status is CGK_OK. An array that holds nothing may be NULL. `threads` is how
 * many threads may take part, 0 for one a processor that this process may use; no answer depends on it. Functions may be
 * called from any thread at once; what that means for an index or a graph stands with its functions. */
#ifndef CONTEXT_GRAPH_C_BASE_H
#define CONTEXT_GRAPH_C_BASE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cgk_status {
    CGK_OK = 0,
    CGK_INVALID_ARGUMENT = 1, /* a pointer, a size or a setting cannot be meant */
    CGK_DOMAIN = 2,           /* a number is NaN, infinite, too large, or outside the space of the function */
    CGK_NO_MEMORY = 3,
    CGK_UNAVAILABLE = 4,      /* the backend that was asked for is not usable here */
    CGK_INTERNAL = 5          /* a defect of this library */
} cgk_status;

/* What a status means, in words; never NULL. */
const char* cgk_status_text(cgk_status status);
/* What was wrong in the last call of this thread that failed: what was expected, what came. Valid until the next failure of
 * this thread; empty before the first. */
const char* cgk_message(void);

/* "0.2.0": the version of the library that is linked; CONTEXT_GRAPH_VERSION is that of the headers. */
const char* cgk_version(void);

typedef enum cgk_backend { CGK_BEST = -1, CGK_SCALAR = 0, CGK_AVX2 = 1, CGK_AVX512 = 2 } cgk_backend;

/* 1 where this processor and its system can run it. */
int cgk_backend_usable(cgk_backend backend);
/* Which backend answers from now on, in all threads; CGK_BEST: the fastest that is usable, or what the environment's
 * CONTEXT_GRAPH_BACKEND names. CGK_UNAVAILABLE, and nothing changed, where it is not usable. */
cgk_status cgk_set_backend(cgk_backend backend);
/* The one that answers now, never CGK_BEST. CGK_UNAVAILABLE where CONTEXT_GRAPH_BACKEND names one that is not usable. */
cgk_status cgk_get_backend(cgk_backend* backend);

typedef enum cgk_element { CGK_F32 = 0, CGK_F16 = 1, CGK_BF16 = 2, CGK_I8 = 3 } cgk_element;

/* n rows of d numbers, at most 2^32 - 2 rows. Functions take CGK_F32 unless they say otherwise. */
typedef struct cgk_rows {
    const void* data;
    int64_t n, d;
    int64_t stride; /* bytes from one row to the next; 0: rows lie one after another */
    cgk_element element;
} cgk_rows;

#ifdef __cplusplus
}
#endif

#endif
