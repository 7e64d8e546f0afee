/** Keeps a number of connections busy for a while, and tells its parent what came back. A program of its own. */
export interface LoadOrder {
  readonly url: string;
  readonly key: string;
  readonly body: string;
  readonly connections: number;
  readonly durationMs: number;
}

export interface LoadResult {
  readonly replies: number;
  /** Replies that were not 200, or were cut short. */
  readonly failures: number;
  readonly elapsedMs: number;
}

async function run({ url, key, body, connections, durationMs }: LoadOrder): Promise<LoadResult> {
  const startedAt = performance.now();
  let replies = 0;
  let failures = 0;
  const headers = { "content-type": "application/json", authorization: `Bearer ${key}` };
  const isStream = body.includes('"stream":true');
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() - startedAt < durationMs) {
        const reply = await fetch(`${url}/v1/chat/completions`, { method: "POST", headers, body });
        const text = await reply.text();
        const isWhole = isStream ? text.endsWith("data: [DONE]\n\n") : text.endsWith("}");
        if (reply.status === 200 && isWhole) replies++;
        else failures++;
      }
    }),
  );
  return { replies, failures, elapsedMs: performance.now() - startedAt };
}

process.on("message", async (order: LoadOrder) => process.send?.(await run(order)));
process.send?.({ type: "ready", url: "" });
