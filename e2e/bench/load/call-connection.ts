import type { Socket } from "bun";
import { ReplyReader } from "./reply-reader";

/** How a call ended: its status (0 if the connection broke), and when its first byte arrived. */
interface CallEnd {
  readonly status: number;
  readonly tail: string;
  readonly firstByteAt: number;
}

/**
 * A keep-alive connection that makes one call after another. It costs a fraction of `fetch`, which leaves the processor
 * to the program under test.
 */
export class CallConnection {
  private readonly reader = new ReplyReader();
  private socket: Socket<unknown> | null = null;
  private unsent: Buffer | null = null;
  private firstByteAt = 0;
  private onEnd: ((end: CallEnd) => void) | null = null;
  isOpen = true;

  private constructor() {}

  static async open(url: string): Promise<CallConnection> {
    const { hostname, port } = new URL(url);
    const connection = new CallConnection();
    connection.socket = await Bun.connect({
      hostname,
      port: Number(port),
      socket: {
        data: (_, bytes) => connection.receive(bytes),
        drain: () => connection.flush(),
        close: () => connection.break(),
        error: () => connection.break(),
      },
    });
    return connection;
  }

  /** @param request the bytes of a whole HTTP/1.1 request; one at a time. */
  call(request: Buffer): Promise<CallEnd> {
    this.reader.reset();
    this.firstByteAt = 0;
    this.unsent = request;
    this.flush();
    return new Promise((resolve) => {
      this.onEnd = resolve;
    });
  }

  /** Reads nothing more. */
  pause(): void {
    this.socket?.pause();
  }

  close(): void {
    this.onEnd = null;
    this.isOpen = false;
    this.socket?.end();
  }

  private flush(): void {
    if (!this.unsent || !this.socket) return;
    const sent = this.socket.write(this.unsent);
    this.unsent = sent < this.unsent.length ? this.unsent.subarray(Math.max(0, sent)) : null;
  }

  private receive(bytes: Buffer): void {
    const isWhole = this.reader.read(bytes);
    if (this.firstByteAt === 0 && this.reader.hasBody) this.firstByteAt = performance.now();
    if (!isWhole) return;
    if (this.reader.closes) this.isOpen = false;
    this.end(this.reader.status);
  }

  private break(): void {
    this.isOpen = false;
    this.end(0);
  }

  private end(status: number): void {
    const onEnd = this.onEnd;
    this.onEnd = null;
    onEnd?.({ status, tail: this.reader.tail, firstByteAt: this.firstByteAt });
  }
}

/** The bytes of a call of a model, by default of chat completions. */
export function formatHttpRequest(call: {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  path?: string | undefined;
}): Buffer {
  const { url, headers, body, path = "/v1/chat/completions" } = call;
  const fields = { host: new URL(url).host, ...headers, "content-length": String(Buffer.byteLength(body)) };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
  return Buffer.from([`POST ${path} HTTP/1.1`, ...lines, "", body].join("\r\n"));
}
