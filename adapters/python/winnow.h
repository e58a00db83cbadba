/* winnow: scans of Parquet files for C. See doc.go for threads and forks. */
#ifndef WINNOW_H
#define WINNOW_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The C data and stream interface of Apache Arrow. */
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE
#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
  const char *format, *name, *metadata;
  int64_t flags, n_children;
  struct ArrowSchema **children, *dictionary;
  void (*release)(struct ArrowSchema *);
  void *private_data;
};

struct ArrowArray {
  int64_t length, null_count, offset, n_buffers, n_children;
  const void **buffers;
  struct ArrowArray **children, *dictionary;
  void (*release)(struct ArrowArray *);
  void *private_data;
};
#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE
struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *);
  int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *);
  const char *(*get_last_error)(struct ArrowArrayStream *);
  void (*release)(struct ArrowArrayStream *);
  void *private_data;
};
#endif

typedef uintptr_t winnow_scan;

/* What returns char* returns NULL if all went well, else an error as a JSON object.
   Texts from this library are freed with winnow_free. */

/* winnow_open describes a scan by a JSON object. It finds the files, and opens none. */
char *winnow_open(const char *query, winnow_scan *scan);
/* winnow_close ends the use of a scan. Its streams live on. */
void winnow_close(winnow_scan scan);
/* winnow_cancel ends whatever runs for a scan at the moment. */
void winnow_cancel(winnow_scan scan);

/* winnow_schema writes the schema of the scan's streams. */
char *winnow_schema(winnow_scan scan, struct ArrowSchema *schema);
/* winnow_stream begins to read. If requested is not NULL, the columns have its types as far as
   the scan can convert to them. The schema is the callee's from then on. */
char *winnow_stream(winnow_scan scan, struct ArrowSchema *requested, struct ArrowArrayStream *stream);
/* winnow_ask answers a question, a JSON object, with a JSON text. Its field "ask" is one of

     count        the number of rows that pass
     min, max     the least or the greatest value of "column": an object
     columns      the names of the columns
     files        the files that the condition does not exclude by their path: index among all files, name, and size in
                  bytes. It opens none
     explain      what metadata prove, of at most so many "files". The first "maps" of them have a page_map, a drawing in
                  SVG, for which it reads offset indexes, too
     rows         all rows, which a query should limit, for people: lists of texts, and null for NULL
     stats        what all streams and answers of the scan did that are over
     progress     what they did so far: files, those begun, those done, row groups done, rows and bytes
     goroutines   how many the process has */
char *winnow_ask(winnow_scan scan, const char *question, char **answer);
/* winnow_next is get_next and get_schema of a stream of winnow_stream, with a whole error. rows is -1 behind the last batch. */
char *winnow_next(struct ArrowArrayStream *stream, struct ArrowArray *array, struct ArrowSchema *schema, int64_t *rows);

void winnow_free(void *text);

/* For hosts that are Python. */

/* winnow_python holds what the library calls of the Python that it is loaded in. */
struct winnow_python {
  uint64_t main_thread; /* whose waits Python's signals end */
  void *get_trace_function, *set_trace_function; /* sys.gettrace, sys.settrace */
  int (*is_initialized)(void);
  int (*ensure)(void);
  void (*release)(int);
  int (*check_signals)(void);
  void (*fetch)(void **, void **, void **);
  void (*restore)(void *, void *, void *);
  int (*add_traceback)(void *);
  void *(*frame)(void);
  void (*set_trace)(int (*)(void *, void *, int, void *), void *);
  void *(*call)(void *, ...);
  void (*incref)(void *);
  void (*decref)(void *);
  void *(*thread)(void); /* that has the lock, or this one's state if it has it */
  void *(*this_thread)(void);
  void *(*unlock)(void);
  void (*lock)(void *);
  /* read reads a range of a file object into memory, with Python's lock, and returns how many bytes it got; the
     object's size if there is no memory; the negative number of an exception, whose text it writes if that is the offset. */
  int64_t (*read)(uint64_t object, int64_t offset, int64_t length, void *into);
  int (*is_valid)(void *, const char *);
  void *(*pointer)(void *, const char *);
};
void winnow_use_python(const struct winnow_python *python);
/* winnow_raise raises what a handler of signals raised during a call of the library, if it did. The main
   thread calls it with Python's lock, after each call. */
void winnow_raise(void);
/* winnow_keep makes a stream hold a Python object, such as those that it reads. */
void winnow_keep(struct ArrowArrayStream *stream, void *object);
/* winnow_end is called before Python ends: no object is read any more when it returns. */
void winnow_end(void);
/* winnow_new returns memory for one of Arrow's structures, all zero, and winnow_drop is the destructor of a capsule with
   it, or with a winnow_scan in the place of the pointer. */
void *winnow_new(void);
void winnow_drop(void *capsule);

/* winnow_forked is 1 in a process that was forked from one which had loaded the library. */
extern int winnow_forked;

#ifdef __cplusplus
}
#endif
#endif
