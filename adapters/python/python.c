/* What hosts that are Python need besides: capsules, and signals that end a wait. The library
   is not linked with Python; it gets the functions that it calls. */
#include <stdlib.h>

#include "winnow.h"

#ifdef _WIN32
#include <windows.h>
static uint64_t this_thread(void) { return GetCurrentThreadId(); }
#else
#include <pthread.h>
static uint64_t this_thread(void) { return (uint64_t)(uintptr_t)pthread_self(); }
#endif

static struct winnow_python python;

void winnow_use_python(const struct winnow_python *p) { python = *p; }

/* winnow_heeds_signals returns 1 in the one thread that Python handles signals in. */
int winnow_heeds_signals(void) { return python.check_signals && this_thread() == python.main_thread; }

/* winnow_interrupted runs Python's handlers of the signals that have arrived, and returns 1 if
   one of them raised an exception. The exception is raised again when Python code runs next
   in this thread: whoever waits here returns an error of its own first. */
int winnow_interrupted(void) {
  if (!python.is_initialized()) return 0;
  int state = python.ensure(), raised = 0;
  if (python.check_signals() != 0) {
    void *type = NULL, *value = NULL, *trace = NULL;
    python.fetch(&type, &value, &trace);
    if (type) python.raise_later(python.thread(), type);
    if (type) python.decref(type);
    if (value) python.decref(value);
    if (trace) python.decref(trace);
    raised = 1;
  }
  python.release(state);
  return raised;
}

struct ArrowArrayStream *winnow_new_stream(void) { return calloc(1, sizeof(struct ArrowArrayStream)); }

struct ArrowSchema *winnow_new_schema(void) { return calloc(1, sizeof(struct ArrowSchema)); }

struct ArrowArray *winnow_new_array(void) { return calloc(1, sizeof(struct ArrowArray)); }

void winnow_drop_stream(void *capsule) {
  static const char name[] = "arrow_array_stream";
  if (!python.is_valid(capsule, name)) return;
  struct ArrowArrayStream *stream = python.pointer(capsule, name);
  if (stream->release) stream->release(stream);
  free(stream);
}

void winnow_drop_schema(void *capsule) {
  static const char name[] = "arrow_schema";
  if (!python.is_valid(capsule, name)) return;
  struct ArrowSchema *schema = python.pointer(capsule, name);
  if (schema->release) schema->release(schema);
  free(schema);
}

void winnow_drop_array(void *capsule) {
  static const char name[] = "arrow_array";
  if (!python.is_valid(capsule, name)) return;
  struct ArrowArray *array = python.pointer(capsule, name);
  if (array->release) array->release(array);
  free(array);
}

void winnow_drop_scan(void *capsule) {
  if (!python.is_valid(capsule, "winnow_scan")) return;
  winnow_close((winnow_scan)python.pointer(capsule, "winnow_scan"));
}
