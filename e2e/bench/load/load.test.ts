import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Program, startBenchProgram } from "../program";
import { compileLoad } from "./compile-load";
import type { LoadOrder, LoadResult } from "./load";

/** The server's next answer, and the number of requests it received. */
let answer: () => Response;
let calls = 0;
let load: Program;
const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request) {
    calls++;
    expect(await request.json()).toEqual({ stream: request.headers.get("x-stream") === "1" });
    return answer();
  },
});

beforeAll(async () => {
  load = await startBenchProgram("e2e/bench/load/load.ts");
});
afterAll(async () => {
  await load.stop();
  await server.stop(true);
});

async function offer(isStream: boolean, order: Partial<LoadOrder> = {}): Promise<LoadResult> {
  calls = 0;
  const headers = { "content-type": "application/json", "x-stream": isStream ? "1" : "0" };
  const body = JSON.stringify({ stream: isStream });
  load.send({
    url: server.url.origin,
    headers,
    body,
    durationMs: 50,
    connections: 4,
    ...order,
  } satisfies LoadOrder);
  return load.receive<LoadResult>();
}

const whole = () => new Response('{"ok":true}');
const streamed = (end: string) => () =>
  new Response(
    new ReadableStream({
      async pull(controller) {
        controller.enqueue("data: {}\n\n");
        await Bun.sleep(1);
        controller.enqueue(end);
        controller.close();
      },
    }),
  );

describe.if((await compileLoad()) !== null)("the compiled load", () => {
  test("counts whole replies, as many as were sent", async () => {
    answer = whole;
    const { replies, failures, latencyMs } = await offer(false);
    expect([replies, failures]).toEqual([calls, {}]);
    expect(replies).toBeGreaterThanOrEqual(4);
    expect(latencyMs.p50).toBeGreaterThan(0);
  });

  test("reads streams to their end", async () => {
    answer = streamed("data: [DONE]\n\n");
    const { replies, failures, firstByteMs, latencyMs } = await offer(true);
    expect([replies, failures]).toEqual([calls, {}]);
    expect(firstByteMs.p50).toBeLessThan(latencyMs.p50);
  });

  test("reports replies that are not a complete 200", async () => {
    answer = () => new Response("{}", { status: 503 });
    expect(await offer(false)).toMatchObject({ replies: 0, failures: { 503: calls } });
    answer = streamed("data: {}\n\n");
    expect(await offer(true)).toMatchObject({ replies: 0, failures: { 200: calls } });
  });

  test("begins as many calls as a rate asks for", async () => {
    answer = whole;
    expect(await offer(false, { perSecond: 1_000, durationMs: 100 })).toMatchObject({ replies: 100 });
    expect(calls).toBe(100);
  });
});
