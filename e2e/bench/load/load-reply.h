// Reads one HTTP/1.1 reply as cheaply as load needs (RFC 9112; no trailers, no extensions).
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_HEAD = 16384, TAIL = 16 };
enum chunk_state { CHUNK_SIZE, CHUNK_DATA, CHUNK_END };

typedef struct {
  int is_in_head, is_chunked, is_last_chunk, closes, status, has_body, head_length, tail_length;
  enum chunk_state chunk_state;
  // The bytes left of the body, or of the current chunk.
  long left;
  // The last bytes of the body.
  char tail[TAIL];
  char head[MOST_HEAD + 1];
} reply;

static void expect_reply(reply *r) {
  memset(r, 0, offsetof(reply, head));
  r->is_in_head = 1;
}

static int ends_well(const reply *r, const char *ending) {
  int end = r->tail_length;
  int length = (int)strlen(ending);
  while (end > 0 && strchr(" \r\n", r->tail[end - 1]) != NULL) end--;
  return end >= length && memcmp(r->tail + end - length, ending, (size_t)length) == 0;
}

static void keep_tail(reply *r, const char *bytes, long count) {
  if (count <= 0) return;
  r->has_body = 1;
  long kept = count < TAIL ? count : TAIL;
  long before = r->tail_length + kept > TAIL ? TAIL - kept : r->tail_length;
  memmove(r->tail, r->tail + r->tail_length - before, (size_t)before);
  memcpy(r->tail + before, bytes + count - kept, (size_t)kept);
  r->tail_length = (int)(before + kept);
}

// Returns how many of the bytes belong to the head; the rest belongs to the body.
static long read_head(reply *r, const char *bytes, long count) {
  long before = r->head_length;
  long taken = count < MOST_HEAD - before ? count : MOST_HEAD - before;
  memcpy(r->head + before, bytes, (size_t)taken);
  r->head_length += (int)taken;
  r->head[r->head_length] = 0;
  char *end = strstr(r->head, "\r\n\r\n");
  if (end == NULL) return count;
  end[2] = 0;
  r->status = atoi(r->head + 9);
  r->closes = strcasestr(r->head, "\r\nconnection: close") != NULL;
  r->is_chunked = strcasestr(r->head, "\r\ntransfer-encoding: chunked") != NULL;
  char *length = strcasestr(r->head, "\r\ncontent-length: ");
  r->left = length == NULL ? 0 : atol(length + 18);
  r->is_in_head = 0;
  return end + 4 - r->head - before;
}

// Returns whether the reply is complete.
static int read_chunks(reply *r, const char *bytes, long count) {
  for (long at = 0; at < count;) {
    if (r->chunk_state == CHUNK_DATA) {
      long taken = r->left < count - at ? r->left : count - at;
      keep_tail(r, bytes + at, taken);
      at += taken;
      r->left -= taken;
      if (r->left == 0) r->chunk_state = CHUNK_END;
      continue;
    }
    char byte = bytes[at++];
    if (r->chunk_state == CHUNK_END) {
      if (byte != '\n') continue;
      if (r->is_last_chunk) return 1;
      r->chunk_state = CHUNK_SIZE;
    } else if (byte == '\n') {
      r->is_last_chunk = r->left == 0;
      r->chunk_state = r->is_last_chunk ? CHUNK_END : CHUNK_DATA;
    } else if (byte != '\r') r->left = r->left * 16 + (byte <= '9' ? byte - '0' : (byte & 7) + 9);
  }
  return 0;
}

// Returns whether the reply is complete.
static int read_reply(reply *r, const char *bytes, long count) {
  long at = r->is_in_head ? read_head(r, bytes, count) : 0;
  if (r->is_in_head) return 0;
  if (r->is_chunked) return read_chunks(r, bytes + at, count - at);
  keep_tail(r, bytes + at, count - at);
  r->left -= count - at;
  return r->left <= 0;
}
