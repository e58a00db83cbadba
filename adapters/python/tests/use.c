/* A scan from C: prints how many rows of a file pass a condition, counted in two ways. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "winnow.h"

static void check(char *error) {
  if (!error) return;
  printf("%s\n", error);
  winnow_free(error);
  exit(1);
}

int main(int argc, char **argv) {
  char query[4096];
  if (argc != 3) return 2;
  snprintf(query, sizeof query, "{\"paths\": [\"%s\"], \"where\": \"%s\"}", argv[1], argv[2]);
  winnow_scan scan;
  check(winnow_open(query, &scan));
  char *counted;
  check(winnow_ask(scan, "{\"ask\": \"count\"}", &counted));

  struct ArrowArrayStream stream;
  check(winnow_stream(scan, NULL, &stream));
  winnow_close(scan);
  struct ArrowSchema schema;
  if (stream.get_schema(&stream, &schema) != 0) return 3;
  int64_t rows = 0;
  for (;;) {
    struct ArrowArray array;
    if (stream.get_next(&stream, &array) != 0) {
      printf("%s\n", stream.get_last_error(&stream));
      return 4;
    }
    if (!array.release) break;
    rows += array.length;
    array.release(&array);
  }
  printf("%lld rows of %lld columns, %s counted\n", (long long)rows, (long long)schema.n_children, counted);
  winnow_free(counted);
  schema.release(&schema);
  stream.release(&stream);
  return 0;
}
