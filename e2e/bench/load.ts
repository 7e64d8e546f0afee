import { CallConnection, type CallEnd } from "./call-connection";

/** Calls a server for a while, and tells its parent what came back. A program of its own. */
export interface LoadOrder {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly durationMs: number;
  /** Closed loop: so many calls are kept in flight. Where there is a rate: connections that are open when it begins. */
  readonly connections: number;
  /** Open loop: calls begin at this rate, whether or not the ones before have ended. */
  readonly perSecond?: number | undefined;
}

export interface Percentiles {
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
}

export interface LoadResult {
  readonly replies: number;
  /** Replies that were not 200, or were cut short, by status; 0 is a connection that broke. */
  readonly failures: Readonly<Record<string, number>>;
  readonly elapsedMs: number;
  /** From the moment a call was due until its last byte; of whole 200s alone. */
  readonly latencyMs: Percentiles;
  /** From the moment a call was due until the first byte of its body. */
  readonly firstByteMs: Percentiles;
}

async function run(order: LoadOrder): Promise<LoadResult> {
  const request = requestOf(order);
  const ending = order.body.includes('"stream":true') ? "data: [DONE]" : "}";
  const [latencies, firstBytes]: [number[], number[]] = [[], []];
  const failures: Record<string, number> = {};
  const open = () => CallConnection.open(order.url);
  const idle = await Promise.all(Array.from({ length: order.connections }, open));
  const startedAt = performance.now();

  function call(connection: CallConnection, dueAt: number, onEnd: () => void): void {
    connection.call(request, ({ status, tail, firstByteAt }: CallEnd) => {
      if (status === 200 && tail.trimEnd().endsWith(ending)) {
        latencies.push(performance.now() - dueAt);
        firstBytes.push(firstByteAt - dueAt);
      } else failures[status] = (failures[status] ?? 0) + 1;
      onEnd();
    });
  }

  const closedLoop = (first: CallConnection) =>
    new Promise<void>((resolve, reject) => {
      const next = async (held: CallConnection): Promise<void> => {
        const connection = held.isOpen ? held : await open();
        if (performance.now() - startedAt < order.durationMs)
          call(connection, performance.now(), () => void next(connection).catch(reject));
        else {
          connection.close();
          resolve();
        }
      };
      next(first).catch(reject);
    });

  async function callWhenDue(dueAt: number): Promise<void> {
    let connection = idle.pop();
    while (connection && !connection.isOpen) connection = idle.pop();
    const used = connection ?? (await open());
    await new Promise<void>((resolve) => call(used, dueAt, resolve));
    idle.push(used);
  }

  async function openLoop(perSecond: number): Promise<void> {
    const total = Math.round((perSecond * order.durationMs) / 1_000);
    const calls: Promise<void>[] = [];
    while (calls.length < total) {
      const due = ((performance.now() - startedAt) * perSecond) / 1_000;
      while (calls.length < Math.min(due, total))
        calls.push(callWhenDue(startedAt + (calls.length * 1_000) / perSecond));
      await Bun.sleep(1);
    }
    await Promise.all(calls);
    for (const connection of idle) connection.close();
  }

  await (order.perSecond ? openLoop(order.perSecond) : Promise.all(idle.map(closedLoop)));
  return {
    replies: latencies.length,
    failures,
    elapsedMs: performance.now() - startedAt,
    latencyMs: percentiles(latencies),
    firstByteMs: percentiles(firstBytes),
  };
}

function requestOf({ url, headers, body }: LoadOrder): Buffer {
  const fields = { host: new URL(url).host, ...headers, "content-length": String(Buffer.byteLength(body)) };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
  return Buffer.from(["POST /v1/chat/completions HTTP/1.1", ...lines, "", body].join("\r\n"));
}

function percentiles(values: number[]): Percentiles {
  const sorted = Float64Array.from(values).toSorted();
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p99: at(0.99), p999: at(0.999) };
}

process.on("message", async (order: LoadOrder) => process.send?.(await run(order)));
process.send?.({ type: "ready", url: "" });
