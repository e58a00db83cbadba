/* What hosts that are Python need besides: capsules, and signals that end a wait. The library
   is not linked with Python; it gets the functions that it calls. */
#include <stdatomic.h>
#include <stdlib.h>

#include "winnow.h"

#ifdef _WIN32
#include <windows.h>
static uint64_t this_thread(void) { return GetCurrentThreadId(); }
static void pause_briefly(void) { Sleep(1); }
#else
#include <pthread.h>
#include <unistd.h>
static void pause_briefly(void) { usleep(1000); }
static uint64_t this_thread(void) { return (uint64_t)(uintptr_t)pthread_self(); }
#endif

static struct winnow_python python;

void winnow_use_python(const struct winnow_python *p) { python = *p; }

/* winnow_unlock gives Python's lock away if this thread has it, as consumers of streams may: what they wait for
   may be a goroutine that reads a file object. winnow_lock takes it back. */
void *winnow_unlock(void) {
  return python.thread && python.thread() && python.thread() == python.this_thread() ? python.unlock() : NULL;
}

void winnow_lock(void *state) {
  if (state) python.lock(state);
}

/* Threads of Go must not wait for the lock of a Python that ends: it would end them. */
static atomic_int reading, ending;

int64_t winnow_read_object(uint64_t object, int64_t offset, int64_t length, void *into) {
  reading++;
  int64_t n = ending || !python.read ? INT64_MIN : python.read(object, offset, length, into);
  reading--;
  return n;
}

void winnow_end(void) {
  ending = 1;
  for (int i = 0; reading && i < 10000; i++) pause_briefly(); /* 10 seconds: an object may hang */
}

void winnow_count_reference(void *object, int change) {
  if (!object || ending || !python.is_initialized()) return;
  int state = python.ensure();
  (change > 0 ? python.incref : python.decref)(object);
  python.release(state);
}

/* winnow_heeds_signals returns 1 in the one thread that Python handles signals in. */
int winnow_heeds_signals(void) { return python.check_signals && this_thread() == python.main_thread; }

/* What a handler of signals raised: type, exception and traceback, until it is raised again. Only the
   main thread uses it, and what follows. */
static void *kept[3];

/* The frame of Python code that called who reads a stream, once its exception is to be raised there, and
   the trace function that was set before. */
static void *caller, *traced_by;

/* winnow_interrupted runs Python's handlers of the signals that have arrived, and returns 1 if
   one of them raised an exception. The exception is kept: whoever waits here returns an error of
   its own first. While one is kept, later signals wait. */
int winnow_interrupted(void) {
  if (kept[0]) return 1;
  if (!python.is_initialized()) return 0;
  int state = python.ensure();
  if (python.check_signals() != 0) python.fetch(&kept[0], &kept[1], &kept[2]);
  python.release(state);
  return kept[0] != NULL;
}

/* raise_kept makes the kept exception that of this thread. */
static void raise_kept(void) {
  if (caller) {
    python.decref(python.call(python.set_trace_function, traced_by, NULL));
    python.decref(traced_by);
    python.decref(caller);
    caller = traced_by = NULL;
  }
  python.restore(kept[0], kept[1], kept[2]);
  kept[0] = kept[1] = kept[2] = NULL;
}

void winnow_raise(void) {
  if (kept[0] && winnow_heeds_signals()) raise_kept();
}

/* trace is a trace function of Python. What it raises takes the place of an exception that arrives in the
   frame, or is raised where the frame goes on. */
static int trace(void *self, void *frame, int what, void *argument) {
  if (frame != caller) return 0; /* who reads the stream runs Python code */
  raise_kept();
  if (what == 1) python.add_traceback(frame); /* PyTrace_EXCEPTION: Python added it to the other one */
  return -1;
}

/* winnow_raise_in_caller is for functions that Python code does not call itself, but who reads a stream:
   they cannot raise an exception. The error that they return ends the reading, and becomes the kept
   exception when the reader returns to Python code. */
void winnow_raise_in_caller(void) {
  if (!kept[0] || caller || !winnow_heeds_signals()) return;
  int state = python.ensure();
  caller = python.frame();
  if (caller && (traced_by = python.call(python.get_trace_function, NULL))) {
    python.incref(caller);
    python.set_trace(trace, NULL);
  } else {
    caller = NULL; /* the next call of the library raises it */
  }
  python.release(state);
}

void *winnow_new(void) {
  return calloc(1, sizeof(union {
    struct ArrowArrayStream stream;
    struct ArrowSchema schema;
    struct ArrowArray array;
  }));
}

#define DROP(type, name)                               \
  if (python.is_valid(capsule, name)) {                \
    struct type *dropped = python.pointer(capsule, name); \
    if (dropped->release) dropped->release(dropped);   \
    free(dropped);                                     \
  }

void winnow_drop(void *capsule) {
  DROP(ArrowArrayStream, "arrow_array_stream")
  DROP(ArrowSchema, "arrow_schema")
  DROP(ArrowArray, "arrow_array")
  if (python.is_valid(capsule, "winnow_scan")) winnow_close((winnow_scan)python.pointer(capsule, "winnow_scan"));
}
