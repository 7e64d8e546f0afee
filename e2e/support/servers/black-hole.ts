import { dlopen, ptr } from "bun:ffi";

const AF_INET = 2;
const SOCK_STREAM = 1;
const SOCK_NONBLOCK = 2048;
const ADDRESS_BYTES = 16;
const BACKLOG = 3;
const REQUEST_BYTES = 64 * 1024;

/** A port (Linux) whose connections wait until they are accepted by hand, like those to a host that drops packets. */
export async function openBlackHole() {
  const { symbols: c, close } = dlopen("libc.so.6", {
    socket: { args: ["i32", "i32", "i32"], returns: "i32" },
    bind: { args: ["i32", "ptr", "u32"], returns: "i32" },
    listen: { args: ["i32", "i32"], returns: "i32" },
    getsockname: { args: ["i32", "ptr", "ptr"], returns: "i32" },
    accept4: { args: ["i32", "ptr", "ptr", "i32"], returns: "i32" },
    read: { args: ["i32", "ptr", "u64"], returns: "i64" },
    write: { args: ["i32", "ptr", "u64"], returns: "i64" },
    close: { args: ["i32"], returns: "i32" },
  });
  const address = new Uint8Array(ADDRESS_BYTES);
  address.set([AF_INET, 0, 0, 0, 127, 0, 0, 1]);
  const listener = c.socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  c.bind(listener, ptr(address), ADDRESS_BYTES);
  c.listen(listener, BACKLOG);
  c.getsockname(listener, ptr(address), ptr(new Uint32Array([ADDRESS_BYTES])));
  const port = new DataView(address.buffer).getUint16(2);
  const connect = () => Bun.connect({ hostname: "127.0.0.1", port, socket: { data() {} } });
  // Linux queues one more connection than requested.
  const fillQueue = () => Promise.all(Array.from({ length: BACKLOG + 1 }, connect));
  let queued = await fillQueue();

  /** Repeats `attempt` until its number exceeds `least`. */
  async function until(least: number, attempt: () => number | bigint): Promise<number> {
    for (;;) {
      const result = Number(attempt());
      if (result > least) return result;
      await new Promise(setImmediate);
    }
  }

  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    /** Accepts connections until one sends a request, and answers that one. */
    async answerOnce(answer: string) {
      for (const socket of queued) socket.end();
      const request = new Uint8Array(REQUEST_BYTES);
      for (let isAnswered = false; !isAnswered; ) {
        const connection = await until(-1, () => c.accept4(listener, null, null, SOCK_NONBLOCK));
        isAnswered = (await until(-1, () => c.read(connection, ptr(request), REQUEST_BYTES))) > 0;
        if (isAnswered) c.write(connection, ptr(Buffer.from(answer)), answer.length);
        c.close(connection);
      }
      queued = await fillQueue();
    },
    stop() {
      for (const socket of queued) socket.end();
      c.close(listener);
      close();
    },
  };
}
