import { CallConnection, formatHttpRequest } from "./call-connection";
import { compileLoad } from "./compile-load";

/** An order for this program, which calls a server for a while and reports the replies to its parent. */
export interface LoadOrder {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The endpoint; absent for chat completions. */
  readonly path?: string;
  /** Connections that become free before then call again. Each makes at least one call. */
  readonly durationMs: number;
  /** Closed loop: the number of calls in flight. With a rate: the number of connections that are open at the start. */
  readonly connections: number;
  /** Open loop: calls start at this rate, whether or not earlier ones have ended. */
  readonly perSecond?: number | undefined;
}

export interface Percentiles {
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
}

export interface LoadResult {
  readonly replies: number;
  /** Replies that were cut short or not a 200, by status; 0 stands for a broken connection. */
  readonly failures: Readonly<Record<string, number>>;
  readonly elapsedMs: number;
  /** The time from when a call was due to its last byte, for whole 200s only. */
  readonly latencyMs: Percentiles;
  /** The time from when a call was due to the first byte of its body. */
  readonly firstByteMs: Percentiles;
}

const compiled = await compileLoad();

/** The ending that marks a reply as whole. */
const findEnding = ({ body }: LoadOrder) => (body.includes('"stream":true') ? "data: [DONE]" : "}");

async function runCompiled(program: string, order: LoadOrder): Promise<LoadResult> {
  const { hostname, port } = new URL(order.url);
  const { connections, durationMs, perSecond = 0 } = order;
  const words = [hostname, port, connections, durationMs, perSecond, findEnding(order)].map(String);
  const load = Bun.spawn([program, ...words], {
    stdin: formatHttpRequest(order),
    stdout: "pipe",
    stderr: "inherit",
  });
  const result = await new Response(load.stdout).text();
  if ((await load.exited) !== 0) throw new Error("The load could not call its server");
  return JSON.parse(result) as LoadResult;
}

async function runHere(order: LoadOrder): Promise<LoadResult> {
  const request = formatHttpRequest(order);
  const ending = findEnding(order);
  const [latencies, firstBytes]: [number[], number[]] = [[], []];
  const failures: Record<string, number> = {};
  const open = () => CallConnection.open(order.url);
  const idle = await Promise.all(Array.from({ length: order.connections }, open));
  const startedAt = performance.now();

  async function call(connection: CallConnection, dueAt: number): Promise<void> {
    const { status, tail, firstByteAt } = await connection.call(request);
    if (status === 200 && tail.trimEnd().endsWith(ending)) {
      latencies.push(performance.now() - dueAt);
      firstBytes.push(firstByteAt - dueAt);
    } else failures[status] = (failures[status] ?? 0) + 1;
  }

  async function keepCalling(first: CallConnection): Promise<void> {
    let connection = first;
    do {
      if (!connection.isOpen) connection = await open();
      await call(connection, performance.now());
    } while (performance.now() - startedAt < order.durationMs);
    connection.close();
  }

  async function callWhenDue(dueAt: number): Promise<void> {
    let connection = idle.pop();
    while (connection && !connection.isOpen) connection = idle.pop();
    const used = connection ?? (await open());
    await call(used, dueAt);
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

  await (order.perSecond ? openLoop(order.perSecond) : Promise.all(idle.map(keepCalling)));
  return {
    replies: latencies.length,
    failures,
    elapsedMs: performance.now() - startedAt,
    latencyMs: percentiles(latencies),
    firstByteMs: percentiles(firstBytes),
  };
}

function percentiles(values: number[]): Percentiles {
  const sorted = Float64Array.from(values).toSorted();
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p99: at(0.99), p999: at(0.999) };
}

const run = (order: LoadOrder) => (compiled === null ? runHere(order) : runCompiled(compiled, order));

process.on("message", async (order: LoadOrder) => process.send?.(await run(order)));
process.send?.({ type: "ready", url: "" });
