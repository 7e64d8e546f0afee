import { expect, test } from "bun:test";
import type { ErrorCode, ErrorStatus } from "@/lib/contract/errors";
import type { BatchWait } from "@/lib/contract/operations/batches";
import { NotAdmitted } from "../admission/admissions";
import type { BatchRecord } from "../batches/batch-store";
import type { Timers } from "../effects";
import { Refusal } from "../refusal";
import { ProcessTimers } from "../simulation/batches/process-timers";
import { simulatedEffects } from "../simulation/simulated-effects";
import { answerInOrder } from "./answer-lines";
import { BatchPace } from "./batch-pace";
import type { LineResult } from "./line-results";
import { ResultRoom } from "./result-room";

const DAY_MS = 86_400_000;
const endpoint = "/v1/chat/completions";

/** A call that is refused, as the live endpoint passes it on. */
function refused(status: ErrorStatus, code: ErrorCode, retryAfter: number | null): Refusal {
  const details = retryAfter === null ? {} : { headers: { "retry-after": String(retryAfter) } };
  const refusal = new Refusal(status, "service_error", code, "Not now.", details);
  return new NotAdmitted(refusal, {} as never, {} as never).with({
    url: "http://console.test/requests/req_1",
  });
}

/** Time passes at once while a line waits. Only lines wait with the signal of the run. */
function createInstantTimers({ pass }: ReturnType<typeof simulatedEffects>, closing: AbortSignal) {
  const wait = async (ms: number, signal?: AbortSignal) =>
    signal === closing ? pass(ms) : new Promise<void>(() => {});
  return { wait };
}

/** Answers lines with `answerCall`, on a clock that moves while lines wait. */
function openRun<LineTimers extends Pick<Timers, "wait">>(
  answerCall: () => Promise<Response>,
  createTimers: (effects: ReturnType<typeof simulatedEffects>, closing: AbortSignal) => LineTimers,
) {
  const effects = simulatedEffects();
  const closing = new AbortController();
  const timers = createTimers(effects, closing.signal);
  const throttle = { isBesideLiveCalls: false, begin: async () => {}, lineEnds: () => {} };
  const batch = {
    id: "batch_1",
    endpoint,
    projectId: "proj_1",
    expiresAtMs: effects.clock.nowMs() + DAY_MS,
  } as BatchRecord;
  const pace = new BatchPace(() => effects.clock.monotonicMs());
  const claim = { isLost: false, isHeld: async () => true };
  const caller = { holdsAnywhere: () => true, permissionsIn: () => ({ has: () => true }) };
  const idempotentCharges = { isHeld: async () => false, find: async () => null };
  const room = new ResultRoom();
  const findCaller = () => caller;
  const context = { effects, timers, throttle, room, answerCall, idempotentCharges, findCaller };
  const run = { batch, claim, signal: closing.signal, pace, isCanceled: () => false };
  return {
    effects,
    timers,
    pace,
    async answer(count: number): Promise<readonly LineResult[]> {
      const line = JSON.stringify({ custom_id: "a", method: "POST", url: endpoint, body: {} });
      const lines = Array.from({ length: count }, (_, number) => ({
        number,
        bytes: Buffer.from(line),
        endsAt: number,
      }));
      const answering = answerInOrder(context as never, run as never, lines, false);
      return (await answering.next()).value?.results ?? [];
    },
  };
}

test.each<[ErrorStatus, ErrorCode, number | null, BatchWait]>([
  [402, "insufficient_balance", null, "balance"],
  [402, "spend_limit", null, "spend_limit"],
  [429, "max_requests_per_1_day", 3_600, "max_requests_per_1_day"],
  [429, "concurrency", 1, "concurrency"],
  [503, "provider_saturated", 1, "provider"],
  [503, "circuit_open", 30, "provider"],
  [503, "store_unavailable", 1, "provider"],
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
    run.effects.pass(250);
    run.timers.runDue();
  }
  expect((await answering).map((result) => "status" in result && result.status)).toEqual(Array(30).fill(200));
  // Sixteen lines at once, each time.
  expect(refusals).toBe(32);
});
