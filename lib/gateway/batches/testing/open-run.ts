import { DAY_MS } from "@/lib/contract/durations";
import type { Timers } from "../../clock";
import type { RequestContext } from "../../http/server";
import { simulatedRuntime } from "../../simulation/simulated-runtime";
import { BatchPace } from "../batch-lease";
import type { BatchRecord } from "../batch-store.sql";
import { answerInOrder } from "../lines/answer-lines";
import type { LineResult } from "../lines/line-results";
import { ResultMemory } from "../result-memory";

const endpoint = "/v1/chat/completions";

/** Answers lines with `answerCall`, on a clock that moves while lines wait. */
export function openRun<LineTimers extends Pick<Timers, "wait">>(
  answerCall: (requestContext: RequestContext) => Promise<Response>,
  createTimers: (runtime: ReturnType<typeof simulatedRuntime>, closing: AbortSignal) => LineTimers,
) {
  const runtime = simulatedRuntime();
  const closing = new AbortController();
  const timers = createTimers(runtime, closing.signal);
  const throttle = {
    isBesideLiveCalls: false,
    begin: async () => ({ noteAdmitted: () => {}, end: () => {} }),
  };
  const batch = {
    id: "batch_1",
    endpoint,
    projectId: "proj_1",
    expiresAtMs: runtime.clock.nowMs() + DAY_MS,
  } as BatchRecord;
  const pace = new BatchPace(() => runtime.clock.monotonicMs());
  const lease = { isLost: false, isHeld: async () => true };
  const caller = { projectId: null, holdsAnywhere: () => true, permissionsIn: () => ({ has: () => true }) };
  const idempotentCharges = { findUnderWay: async () => null, find: async () => null };
  const memory = new ResultMemory();
  const findCaller = () => caller;
  let isFarOff = false;
  const faults: unknown[] = [];
  const logFault = (_where: string, error: unknown) => void faults.push(error);
  const context = {
    runtime,
    timers,
    steadyClock: { mayBeFarOff: () => isFarOff },
    throttle,
    memory,
    logFault,
    answerCall,
    idempotentCharges,
    findCaller,
  };
  const run = { batch, lease, signal: closing.signal, pace, isCanceled: () => false };
  const begin = (count: number) => {
    const line = JSON.stringify({ custom_id: "a", method: "POST", url: endpoint, body: {} });
    const lines = Array.from({ length: count }, (_, number) => ({
      number,
      bytes: Buffer.from(line),
      endsAt: number,
    }));
    return answerInOrder(context as never, run as never, lines, { mayBeAnswered: false });
  };
  return {
    runtime,
    timers,
    pace,
    faults,
    /** Steps the wall clock, which may be days off from then on, or is right. */
    stepClock(ms: number, isOff: boolean): void {
      runtime.stepWallClock(ms);
      isFarOff = isOff;
    },
    /** The results that are stored first. */
    async answer(count: number): Promise<readonly LineResult[]> {
      return (await begin(count).next()).value?.results ?? [];
    },
    /** Each group of results, as it is stored. */
    async *answerAll(count: number): AsyncGenerator<readonly LineResult[]> {
      for await (const { results } of begin(count)) yield results;
    },
  };
}
