import { dlopen, ptr } from "bun:ffi";

const AF_INET = 2;
const SOCK_STREAM = 1;
const ADDRESS_BYTES = 16;

/**
 * A port of this machine that nobody accepts connections from, its queue full: whoever connects waits, as with a host that
 * drops packets.
 */
export async function openBlackHole() {
  const { symbols: c, close } = dlopen("libc.so.6", {
    socket: { args: ["i32", "i32", "i32"], returns: "i32" },
    bind: { args: ["i32", "ptr", "u32"], returns: "i32" },
    listen: { args: ["i32", "i32"], returns: "i32" },
    getsockname: { args: ["i32", "ptr", "ptr"], returns: "i32" },
    close: { args: ["i32"], returns: "i32" },
  });
  const address = new Uint8Array(ADDRESS_BYTES);
  address.set([AF_INET, 0, 0, 0, 127, 0, 0, 1]);
  const listener = c.socket(AF_INET, SOCK_STREAM, 0);
  c.bind(listener, ptr(address), ADDRESS_BYTES);
  c.listen(listener, 0);
  c.getsockname(listener, ptr(address), ptr(new Uint32Array([ADDRESS_BYTES])));
  const port = new DataView(address.buffer).getUint16(2);
  const queued = await Bun.connect({ hostname: "127.0.0.1", port, socket: { data() {} } });
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    stop() {
      queued.end();
      c.close(listener);
      close();
    },
  };
}
