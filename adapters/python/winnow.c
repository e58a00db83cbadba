/* The functions of winnow.h. Each looks whether the process was forked before it enters Go,
   where it would wait for ever for threads that the fork has left behind. */
#include "winnow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "_cgo_export.h"

int winnow_forked;

void winnow_raise_in_caller(void);
void *winnow_unlock(void);
void winnow_lock(void *state);
void winnow_count_reference(void *object, int change);

#ifdef _WIN32
#define strdup _strdup
#else
#include <pthread.h>
static void in_child(void) { winnow_forked = 1; }
__attribute__((constructor)) static void watch_forks(void) { pthread_atfork(NULL, NULL, in_child); }
#endif

static const char fork_message[] = "winnow cannot be used in a forked process: start it with spawn or forkserver";

static char *fork_error(void) {
  return strdup("{\"kind\":\"fork\",\"message\":\"winnow cannot be used in a forked process: start it with spawn or forkserver\"}");
}

#define NOT_FORKED() \
  if (winnow_forked) return fork_error()

char *winnow_open(const char *query, winnow_scan *scan) {
  NOT_FORKED();
  return goOpen((char *)query, scan);
}

void winnow_close(winnow_scan scan) {
  if (!winnow_forked) goClose(scan);
}

void winnow_cancel(winnow_scan scan) {
  if (!winnow_forked) goCancel(scan);
}

char *winnow_ask(winnow_scan scan, const char *question, char **answer) {
  NOT_FORKED();
  return goAsk(scan, (char *)question, answer);
}

void winnow_free(void *text) { free(text); }

/* Arrow's structures are made in Go, whose release functions enter Go. Those here stand before
   them. All arrays have the same one, and so have all schemas. */
static void (*_Atomic go_release_schema)(struct ArrowSchema *);
static void (*_Atomic go_release_array)(struct ArrowArray *);

static void release_schema(struct ArrowSchema *s) {
  if (winnow_forked)
    s->release = NULL;
  else
    go_release_schema(s);
}

static void guard_schema(struct ArrowSchema *s) {
  if (!s || !s->release) return;
  go_release_schema = s->release;
  s->release = release_schema;
  for (int64_t i = 0; i < s->n_children; i++) guard_schema(s->children[i]);
  guard_schema(s->dictionary);
}

static void release_array(struct ArrowArray *a) {
  if (winnow_forked)
    a->release = NULL;
  else
    go_release_array(a);
}

static void guard_array(struct ArrowArray *a) {
  if (!a || !a->release) return;
  go_release_array = a->release;
  a->release = release_array;
  for (int64_t i = 0; i < a->n_children; i++) guard_array(a->children[i]);
  guard_array(a->dictionary);
}

char *winnow_schema(winnow_scan scan, struct ArrowSchema *schema) {
  NOT_FORKED();
  char *error = goSchema(scan, schema);
  if (!error) guard_schema(schema);
  return error;
}

/* A stream's private data. */
struct stream {
  uintptr_t handle;
  char *error; /* of the last call */
  void *kept;  /* an object of Python, or NULL */
};

static void set_error(struct stream *s, char *text) {
  free(s->error);
  s->error = text;
}

static int stream_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out) {
  struct stream *s = stream->private_data;
  memset(out, 0, sizeof *out);
  if (winnow_forked) {
    set_error(s, strdup(fork_message));
    return ENOTSUP;
  }
  goStreamSchema(s->handle, out);
  guard_schema(out);
  return 0;
}

static int next(struct stream *s, struct ArrowArray *out, char **failure) {
  memset(out, 0, sizeof *out);
  if (winnow_forked) {
    *failure = fork_error();
    set_error(s, strdup(fork_message));
    return ENOTSUP;
  }
  char *message = NULL;
  void *lock = winnow_unlock();
  int code = goStreamNext(s->handle, out, &message, failure);
  winnow_lock(lock);
  set_error(s, message);
  guard_array(out);
  return code;
}

static int stream_next(struct ArrowArrayStream *stream, struct ArrowArray *out) {
  char *failure = NULL;
  int code = next(stream->private_data, out, &failure);
  free(failure);
  winnow_raise_in_caller();
  return code;
}

char *winnow_next(struct ArrowArrayStream *stream, struct ArrowArray *array, struct ArrowSchema *schema, int64_t *rows) {
  char *failure = NULL;
  next(stream->private_data, array, &failure);
  *rows = array->release ? array->length : -1;
  if (array->release) stream_schema(stream, schema);
  return failure;
}

static const char *stream_error(struct ArrowArrayStream *stream) {
  return ((struct stream *)stream->private_data)->error;
}

static void stream_release(struct ArrowArrayStream *stream) {
  struct stream *s = stream->private_data;
  if (!winnow_forked) {
    void *lock = winnow_unlock();
    goStreamRelease(s->handle);
    winnow_lock(lock);
    winnow_count_reference(s->kept, -1);
  }
  free(s->error);
  free(s);
  stream->private_data = NULL;
  stream->release = NULL;
}

void winnow_keep(struct ArrowArrayStream *stream, void *object) {
  winnow_count_reference(object, 1);
  ((struct stream *)stream->private_data)->kept = object;
}

char *winnow_stream(winnow_scan scan, struct ArrowSchema *requested, struct ArrowArrayStream *stream) {
  NOT_FORKED();
  struct stream *s = calloc(1, sizeof *s);
  if (!s) return strdup("{\"kind\":\"memory\",\"message\":\"no memory for a stream\"}");
  char *error = goStream(scan, requested, &s->handle);
  if (error) {
    free(s);
    return error;
  }
  *stream = (struct ArrowArrayStream){stream_schema, stream_next, stream_error, stream_release, s};
  return NULL;
}
