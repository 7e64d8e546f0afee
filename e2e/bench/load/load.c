// The compiled load of the benchmark, which uses far less processor time than one in a runtime, so that no program waits for it.
// `load.ts` starts it, or makes the same calls itself without a compiler. Prints JSON. A rate of 0 means no pause between calls.
// Usage: load HOST PORT CONNECTIONS MILLISECONDS CALLS_PER_SECOND ENDING < request
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "load-reply.h"

enum { STATUSES = 1000, EVENTS = 512, PIECE = 1 << 18 };

typedef struct {
  int fd, is_busy;
  size_t sent;
  double due_at, first_byte_at;
  reply reply;
} connection;

typedef struct {
  double *values;
  size_t count, room;
} figures;

static struct sockaddr_in address;
static char *request;
static size_t request_length;
static const char *ending;
static int epoll;
static connection **idle;
static size_t idle_count, open_count, room_for_open, under_way;
static long failures[STATUSES];
static figures latencies, first_bytes;
static double started_at, duration;
static int is_open_loop;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

static void *must(void *memory) {
  if (memory == NULL) exit(2);
  return memory;
}

static void add(figures *to, double value) {
  if (to->count == to->room) {
    to->room = to->room == 0 ? 4096 : to->room * 2;
    to->values = must(realloc(to->values, to->room * sizeof(double)));
  }
  to->values[to->count++] = value;
}

static void rest(connection *c) {
  if (idle_count == room_for_open) {
    room_for_open = room_for_open == 0 ? 256 : room_for_open * 2;
    idle = must(realloc(idle, room_for_open * sizeof(connection *)));
  }
  idle[idle_count++] = c;
}

static void open_socket(connection *c) {
  int on = 1;
  c->fd = socket(AF_INET, SOCK_STREAM, 0);
  if (c->fd < 0 || connect(c->fd, (struct sockaddr *)&address, sizeof address) < 0) {
    perror("connect");
    exit(2);
  }
  setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = c};
  epoll_ctl(epoll, EPOLL_CTL_ADD, c->fd, &event);
}

static void watch(connection *c, unsigned events) {
  struct epoll_event event = {.events = events, .data.ptr = c};
  epoll_ctl(epoll, EPOLL_CTL_MOD, c->fd, &event);
}

static void send_rest(connection *c) {
  while (c->sent < request_length) {
    ssize_t sent = send(c->fd, request + c->sent, request_length - c->sent, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent < 0) {
      // A broken connection is noticed when it is read.
      if (errno == EAGAIN) watch(c, EPOLLIN | EPOLLOUT);
      return;
    }
    c->sent += (size_t)sent;
  }
}

static void begin(connection *c, double due_at) {
  if (c->fd < 0) open_socket(c);
  expect_reply(&c->reply);
  c->is_busy = 1;
  c->sent = 0;
  c->due_at = due_at;
  c->first_byte_at = 0;
  under_way++;
  send_rest(c);
}

static void finish(connection *c, int is_whole) {
  double at = now();
  c->is_busy = 0;
  under_way--;
  const reply *r = &c->reply;
  if (is_whole && r->status == 200 && ends_well(r, ending)) {
    add(&latencies, at - c->due_at);
    add(&first_bytes, c->first_byte_at - c->due_at);
  } else failures[is_whole && r->status > 0 && r->status < STATUSES ? r->status : 0]++;
  if (!is_whole || r->closes) {
    close(c->fd);
    c->fd = -1;
  }
  if (is_open_loop) rest(c);
  else if (at - started_at < duration) begin(c, at);
}

static void receive(connection *c) {
  static char piece[PIECE];
  long count = recv(c->fd, piece, PIECE, MSG_DONTWAIT);
  if (count < 0 && errno == EAGAIN) return;
  if (count <= 0) {
    if (c->is_busy) return finish(c, 0);
    close(c->fd);
    c->fd = -1;
    return;
  }
  int is_whole = read_reply(&c->reply, piece, count);
  if (c->first_byte_at == 0 && c->reply.has_body) c->first_byte_at = now();
  if (is_whole) finish(c, 1);
}

static void turn(int timeout) {
  struct epoll_event events[EVENTS];
  int count = epoll_wait(epoll, events, EVENTS, timeout);
  for (int index = 0; index < count; index++) {
    connection *c = events[index].data.ptr;
    if (events[index].events & EPOLLOUT) {
      watch(c, EPOLLIN);
      send_rest(c);
    }
    if (events[index].events & ~(unsigned)EPOLLOUT) receive(c);
  }
}

static connection *make_connection(void) {
  connection *c = must(calloc(1, sizeof *c));
  c->fd = -1;
  open_count++;
  return c;
}

static void run_open_loop(double per_second) {
  long total = (long)(per_second * duration / 1e3 + 0.5), begun = 0;
  while (begun < total || under_way > 0) {
    double due = (now() - started_at) * per_second / 1e3;
    for (; begun < total && begun < due; begun++)
      begin(idle_count > 0 ? idle[--idle_count] : make_connection(), started_at + begun * 1e3 / per_second);
    turn(begun < total ? 1 : -1);
  }
}

static int by_size(const void *one, const void *other) {
  double difference = *(const double *)one - *(const double *)other;
  return difference < 0 ? -1 : difference > 0;
}

static void print_shares(const char *name, figures *of) {
  const double shares[] = {0.5, 0.99, 0.999};
  const char *names[] = {"p50", "p99", "p999"};
  qsort(of->values, of->count, sizeof(double), by_size);
  printf(",\"%s\":{", name);
  for (int index = 0; index < 3; index++) {
    size_t at = (size_t)((double)of->count * shares[index]);
    printf("%s\"%s\":%.4f", index == 0 ? "" : ",", names[index], of->count == 0 ? 0 : of->values[at]);
  }
  printf("}");
}

static void print_result(void) {
  int is_first = 1;
  printf("{\"replies\":%zu,\"elapsedMs\":%.3f,\"failures\":{", latencies.count, now() - started_at);
  for (int status = 0; status < STATUSES; status++) {
    if (failures[status] == 0) continue;
    printf("%s\"%d\":%ld", is_first ? "" : ",", status, failures[status]);
    is_first = 0;
  }
  printf("}");
  print_shares("latencyMs", &latencies);
  print_shares("firstByteMs", &first_bytes);
  printf("}\n");
}

static void read_request(void) {
  size_t room = 1 << 16;
  request = must(malloc(room));
  for (ssize_t count; (count = read(0, request + request_length, room - request_length)) > 0;) {
    request_length += (size_t)count;
    if (request_length == room) request = must(realloc(request, room *= 2));
  }
}

int main(int count, char **words) {
  if (count != 7) return 2;
  long connections = atol(words[3]);
  double per_second = atof(words[5]);
  address.sin_family = AF_INET;
  address.sin_port = htons((unsigned short)atoi(words[2]));
  if (inet_pton(AF_INET, words[1], &address.sin_addr) != 1) return 2;
  duration = atof(words[4]);
  ending = words[6];
  is_open_loop = per_second > 0;
  epoll = epoll_create1(0);
  read_request();
  for (long index = 0; index < connections; index++) {
    connection *c = make_connection();
    open_socket(c);
    rest(c);
  }
  started_at = now();
  if (is_open_loop) run_open_loop(per_second);
  else {
    while (idle_count > 0) begin(idle[--idle_count], now());
    while (under_way > 0) turn(-1);
  }
  print_result();
  return 0;
}
