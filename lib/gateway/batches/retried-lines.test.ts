import { expect, test } from "bun:test";
import { DAY_MS } from "@/lib/contract/durations";
import type { ErrorCode, ErrorStatus } from "@/lib/contract/errors";
import type { BatchWait } from "@/lib/contract/operations/tasks/batches";
import { NotAdmitted } from "../rate-limits/admissions";
import { Refusal } from "../refusal";
import { ProcessTimers } from "../simulation/batches/simulated-batch-process";
import type { simulatedRuntime } from "../simulation/simulated-runtime";
import { openRun } from "./testing/open-run";

/** A call that is refused, as the live endpoint passes it on. */
function refused(status: ErrorStatus, code: ErrorCode, retryAfter: number | null): Refusal {
  const details = retryAfter === null ? {} : { headers: { "retry-after": String(retryAfter) } };
  const refusal = new Refusal(status, "service_error", code, "Not now.", details);
  return new NotAdmitted(refusal, {} as never, {} as never).with({
    url: "http://console.test/requests/req_1",
  });
}

/** Time passes at once while a line waits. Only lines wait with the signal of the run. */
function createInstantTimers({ pass }: ReturnType<typeof simulatedRuntime>, closing: AbortSignal) {
  const wait = async (ms: number, signal?: AbortSignal) =>
    signal === closing ? pass(ms) : new Promise<void>(() => {});
  return { wait };
}

test.each<[ErrorStatus, ErrorCode, number | null, BatchWait]>([
  [402, "insufficient_balance", null, "balance"],
  [402, "spend_limit", null, "spend_limit"],
  [429, "max_requests_per_1_day", 3_600, "max_requests_per_1_day"],
  [429, "concurrency", 1, "concurrency"],
  [503, "provider_saturated", 1, "provider"],
  [503, "circuit_open", 30, "provider"],
  [503, "store_unavailable", 1, "provider"],
  [502, "provider_misconfigured", null, "provider"],
])(
  "a line that is refused with %d %s waits, and is answered once it is admitted",
  async (status, code, retryAfter, reason) => {
    const waits: (BatchWait | null)[] = [];
    const { pace, answer } = openRun(async () => {
      if (waits.push(pace.describe().waits_for) <= 20) throw refused(status, code, retryAfter);
      return Response.json({});
    }, createInstantTimers);
    expect(await answer(1)).toMatchObject([{ kind: "answered", status: 200 }]);
    expect(waits).toEqual([null, ...Array.from({ length: 20 }, () => reason)]);
  },
);

test("a line that stays refused ends with its batch's window, and is tried twice a minute at most", async () => {
  let calls = 0;
  const { answer } = openRun(async () => {
    calls++;
    throw refused(402, "insufficient_balance", null);
  }, createInstantTimers);
  expect(await answer(1)).toMatchObject([{ kind: "expired" }]);
  expect(calls).toBeLessThan(2 * 24 * 60 + 10);
});

test("a batch doesn't expire by a clock that may be days ahead, and goes on once it is right", async () => {
  let calls = 0;
  const run = openRun(async () => {
    calls++;
    if (calls === 1) run.stepClock(2 * DAY_MS, true);
    if (calls === 3) run.stepClock(-2 * DAY_MS, false);
    if (calls < 5) throw refused(503, "store_unavailable", 1);
    return Response.json({});
  }, createInstantTimers);
  expect(await run.answer(1)).toMatchObject([{ kind: "answered", status: 200 }]);
});

test("a provider at its limit is left alone by all lines for as long as it asked, and all are answered afterwards", async () => {
  let refusals = 0;
  let nowMs = () => 0;
  const run = openRun(
    async () => {
      if (nowMs() >= startMs + 12_000) return Response.json({});
      refusals++;
      throw refused(429, "provider_error", 10);
    },
    ({ clock }) => {
      nowMs = clock.monotonicMs;
      return new ProcessTimers(clock.monotonicMs);
    },
  );
  const startMs = nowMs();
  const answering = run.answer(30);
  for (let quarterSeconds = 0; quarterSeconds < 200; quarterSeconds++) {
    await new Promise(setImmediate);
    run.runtime.pass(250);
    run.timers.runDue();
  }
  expect((await answering).map((result) => "status" in result && result.status)).toEqual(Array(30).fill(200));
  // Sixteen lines at once, each time.
  expect(refusals).toBe(32);
});

test("a line whose call fails by a fault of the gateway is tried again, so that a charged call gets its reply", async () => {
  let calls = 0;
  const { answer, faults } = openRun(async () => {
    // Temporary refusals don't count as faults.
    if (++calls <= 5) throw refused(429, "concurrency", 1);
    if (calls <= 7) throw new TypeError("A fault");
    return Response.json({});
  }, createInstantTimers);
  expect(await answer(1)).toMatchObject([{ kind: "answered", status: 200 }]);
  expect(faults).toEqual([new TypeError("A fault"), new TypeError("A fault")]);
});

test("a line that keeps failing by a fault is answered as a live call is, with a 500, and the other lines are answered", async () => {
  let calls = 0;
  const { answer, faults } = openRun(async (requestContext) => {
    calls++;
    if (requestContext.request.headers.get("idempotency-key") === "batch_1-3") throw new TypeError("A fault");
    return Response.json({});
  }, createInstantTimers);
  const results = await answer(20);
  const statuses = results.map((result) => "status" in result && result.status);
  expect(statuses).toEqual(Array.from({ length: 20 }, (_, line) => (line === 3 ? 500 : 200)));
  expect([calls, faults.length]).toEqual([22, 3]);
  const failed = results[3];
  const body = failed?.kind === "answered" && JSON.parse(Buffer.concat([...failed.body]).toString());
  expect(body).toMatchObject({ error: { code: "internal_error" } });
});
