/** Calls a server for a while, and tells its parent what came back. A program of its own. */
export interface LoadOrder {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly durationMs: number;
  /** Closed loop: so many calls are kept in flight. Ignored where there is a rate. */
  readonly connections: number;
  /** Open loop: calls begin at this rate, whether or not the ones before have ended. */
  readonly perSecond?: number | undefined;
}

export interface LoadResult {
  readonly replies: number;
  /** Replies that were not 200, or were cut short, by status. */
  readonly failures: Readonly<Record<string, number>>;
  readonly elapsedMs: number;
  /** From the moment a call was due until its last byte; of whole 200s alone. */
  readonly latencyMs: { readonly p50: number; readonly p99: number; readonly p999: number };
}

async function run(order: LoadOrder): Promise<LoadResult> {
  const startedAt = performance.now();
  const latencies: number[] = [];
  const failures: Record<string, number> = {};
  const isStream = order.body.includes('"stream":true');
  const call = async (dueAt: number) => {
    const { headers, body } = order;
    const reply = await fetch(`${order.url}/v1/chat/completions`, { method: "POST", headers, body });
    const text = (await reply.text()).trimEnd();
    const isWhole = text.endsWith(isStream ? "data: [DONE]" : "}");
    if (reply.status === 200 && isWhole) latencies.push(performance.now() - dueAt);
    else failures[reply.status] = (failures[reply.status] ?? 0) + 1;
  };
  await (order.perSecond ? openLoop(order.perSecond) : closedLoop());
  const elapsedMs = performance.now() - startedAt;
  return { replies: latencies.length, failures, elapsedMs, latencyMs: percentiles(latencies) };

  async function closedLoop(): Promise<void> {
    const keepCalling = async () => {
      while (performance.now() - startedAt < order.durationMs) await call(performance.now());
    };
    await Promise.all(Array.from({ length: order.connections }, keepCalling));
  }

  async function openLoop(perSecond: number): Promise<void> {
    const total = Math.round((perSecond * order.durationMs) / 1_000);
    const calls: Promise<void>[] = [];
    while (calls.length < total) {
      const due = ((performance.now() - startedAt) * perSecond) / 1_000;
      while (calls.length < Math.min(due, total)) {
        calls.push(call(startedAt + (calls.length * 1_000) / perSecond));
      }
      await Bun.sleep(1);
    }
    await Promise.all(calls);
  }
}

function percentiles(values: number[]) {
  const sorted = Float64Array.from(values).toSorted();
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p99: at(0.99), p999: at(0.999) };
}

process.on("message", async (order: LoadOrder) => process.send?.(await run(order)));
process.send?.({ type: "ready", url: "" });
