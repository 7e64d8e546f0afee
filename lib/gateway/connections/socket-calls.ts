import { dlopen, ptr } from "bun:ffi";

/** System calls on a socket, by its descriptor. */
export interface SocketCalls {
  /** Whether nothing waits to be read or sent, and nothing was sent for `minMs`. */
  isResting(descriptor: number, minMs: number): boolean;
  /** Shuts down both directions; the server then closes the descriptor. */
  shutDown(descriptor: number): void;
}

const [UNREAD_BYTES, UNSENT_BYTES] = [0x541b, 0x5411] as const;
const [TCP, TCP_INFO] = [6, 11] as const;
const BOTH_DIRECTIONS = 2;
/** The offset in `struct tcp_info` of the milliseconds since data was last sent, in 32-bit words. */
const LAST_DATA_SENT = 11;
const libraries = ["libc.so.6", "libc.musl-x86_64.so.1", "libc.musl-aarch64.so.1"];

/** @throws Error where the C library can't be called. */
export function openSocketCalls(): SocketCalls {
  const { shutdown, ioctl, getsockopt } = openLibrary().symbols;
  const bytes = new Int32Array(1);
  const info = new Uint32Array(64);
  const infoSize = new Uint32Array(1);
  const waiting = (descriptor: number, queue: number) => {
    const failed = ioctl(descriptor, queue, ptr(bytes)) !== 0;
    return failed || bytes[0] !== 0;
  };
  const restMs = (descriptor: number) => {
    infoSize[0] = info.byteLength;
    const failed = getsockopt(descriptor, TCP, TCP_INFO, ptr(info), ptr(infoSize)) !== 0;
    return failed ? 0 : (info[LAST_DATA_SENT] ?? 0);
  };
  return {
    isResting: (descriptor, minMs) =>
      restMs(descriptor) >= minMs && !waiting(descriptor, UNREAD_BYTES) && !waiting(descriptor, UNSENT_BYTES),
    shutDown: (descriptor) => void shutdown(descriptor, BOTH_DIRECTIONS),
  };
}

function openLibrary() {
  const symbols = {
    shutdown: { args: ["i32", "i32"], returns: "i32" },
    ioctl: { args: ["i32", "u64", "ptr"], returns: "i32" },
    getsockopt: { args: ["i32", "i32", "i32", "ptr", "ptr"], returns: "i32" },
  } as const;
  for (const name of libraries) {
    try {
      return dlopen(name, symbols);
    } catch {
      // Try the next name.
    }
  }
  throw new Error("No C library was found");
}
