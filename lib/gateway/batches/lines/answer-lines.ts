import type { BatchWait } from "@/lib/contract/operations/tasks/batches";
import type { ClockCheck, Timers } from "../../clock";
import { type BatchLease, type BatchPace, waitFor } from "../batch-lease";
import type { BatchRecord } from "../batch-store.sql";
import type { ResultMemory } from "../result-memory";
import {
  type AnswerLineContext,
  answerLine,
  type FormerAnswerContext,
  findFormerAnswer,
  type LineAnswer,
} from "./answer-line";
import { type FileLine, readBatchLine } from "./batch-line";
import { countResultBytes, type LineResult } from "./line-results";
import { type LineThrottle, LOOK_MS, ProviderPause } from "./line-throttle";

export interface AnswerLinesContext extends AnswerLineContext, FormerAnswerContext {
  readonly timers: Timers;
  readonly steadyClock: ClockCheck;
  readonly throttle: LineThrottle;
  readonly memory: ResultMemory;
}

/** A claimed batch while this process answers its lines. */
export interface Run {
  readonly batch: BatchRecord;
  readonly lease: BatchLease;
  /** Aborts when the process shuts down. */
  readonly signal: AbortSignal;
  readonly pace: BatchPace;
  isCanceled(): boolean;
}

/** The number of lines answered concurrently. */
const MAX_CONCURRENT = 16;
/**
 * The pause of a line after a refusal of the gateway. It doubles with each refusal, and may be shorter than the refusal
 * said, since the balance may be paid or a limit raised meanwhile.
 */
const RETRY_MS = { first: 500, longest: 30_000 };
/**
 * How often the results of slow lines are stored. Beside live calls that is less often, since each time delays some of
 * them.
 */
const STORED_EVERY_MS = { alone: 1_000, besideLiveCalls: 5_000 };

/** Why a batch stops before its end. */
type Stop = "cancelled" | "expired" | null;

/** Answered lines with their results. */
export interface AnsweredLines {
  readonly lines: readonly FileLine[];
  readonly results: readonly LineResult[];
}

/**
 * Answers lines concurrently. Yields the completed lines at the front every few seconds, so that progress is visible
 * even with slow lines.
 * @param mayBeAnswered whether an earlier process may have begun these lines.
 */
export async function* answerInOrder(
  context: AnswerLinesContext,
  run: Run,
  lines: readonly FileLine[],
  { mayBeAnswered }: { readonly mayBeAnswered: boolean },
): AsyncGenerator<AnsweredLines> {
  const { memory, throttle, timers } = context;
  const providerPause = new ProviderPause(timers, run.signal);
  /** Keyed by the lines' places; "stored" once a result is not needed any more. */
  const results: (LineResult | "stored")[] = [];
  const remainingLines = lines.entries();
  /** Aborts when a line can't be answered, or no result is wanted any more: then no other line begins. */
  const ending = new AbortController();
  const startSignal = AbortSignal.any([run.signal, ending.signal]);
  const answerSome = async () => {
    for (const [index, line] of remainingLines) {
      await memory.acquire(startSignal);
      if (ending.signal.aborted) return memory.fill(0);
      const result = await answer(context, run, line, { mayBeAnswered, providerPause }).catch(
        (error: unknown) => {
          memory.fill(0);
          ending.abort();
          throw error;
        },
      );
      results[index] = result;
      memory.fill(countResultBytes(result));
      if (result.kind === "answered") run.pace.countAnswer();
    }
  };
  const work = Promise.all(Array.from({ length: MAX_CONCURRENT }, answerSome));
  // The work may fail while earlier results are being stored; the race below then throws.
  work.catch(() => {});
  let storedCount = 0;
  try {
    while (storedCount < lines.length) {
      const pause = new AbortController();
      const everyMs = STORED_EVERY_MS[throttle.isBesideLiveCalls ? "besideLiveCalls" : "alone"];
      await Promise.race([work, timers.wait(everyMs, pause.signal)]).finally(() => pause.abort());
      let ready = storedCount;
      while (results[ready]) ready++;
      if (ready === storedCount) continue;
      const some = results.slice(storedCount, ready).filter((result) => result !== "stored");
      yield { lines: lines.slice(storedCount, ready), results: some };
      memory.free(some.reduce((sum, result) => sum + countResultBytes(result), 0));
      results.fill("stored", storedCount, ready);
      storedCount = ready;
    }
  } finally {
    ending.abort();
    // If storing failed, lines in progress still end, and their results are dropped. No other line begins.
    void work
      .catch(() => {})
      .then(() =>
        memory.free(
          results.reduce(
            (sum, result) => sum + (!result || result === "stored" ? 0 : countResultBytes(result)),
            0,
          ),
        ),
      );
  }
}

async function answer(
  context: AnswerLinesContext,
  run: Run,
  line: FileLine,
  { mayBeAnswered, providerPause }: { mayBeAnswered: boolean; providerPause: ProviderPause },
): Promise<LineResult> {
  const { batch, lease, pace } = run;
  const call = { ...readBatchLine(line, batch.endpoint), number: line.number };
  const { customId } = call;
  const former = mayBeAnswered ? await awaitFormerAnswer(context, run, line.number) : null;
  if (former) return { kind: "answered", customId, ...former };
  for (let refusals = 0, faults = 0; ; refusals++) {
    const isOver = () => stopNow(context, run) !== null;
    await providerPause.wait(isOver, () => pace.waits("provider"));
    const started = await context.throttle.begin(
      batch,
      () => stopNow(context, run) !== null,
      (reason) => pace.waits(reason),
    );
    let stop: Stop = null;
    let lineReply: LineAnswer | null = null;
    try {
      await lease.isHeld(batch.id);
      stop = stopNow(context, run);
      if (!stop)
        lineReply = await answerLine(context, batch, call, { faults, noteAdmitted: started.noteAdmitted });
    } finally {
      started.end();
    }
    if (!lineReply) {
      // A failed try may have been charged as interrupted by a process that took over its hold.
      const charge = refusals > 0 ? await awaitFormerAnswer(context, run, line.number) : null;
      return charge ? { kind: "answered", customId, ...charge } : { kind: stop ?? "cancelled", customId };
    }
    if ("status" in lineReply) return { kind: "answered", customId, ...lineReply };
    if (lineReply.refusal.code === "internal_error") faults++;
    const ownPauseMs = Math.min(RETRY_MS.first * 2 ** refusals, RETRY_MS.longest);
    if (lineReply.isOfProvider) {
      providerPause.begin(Math.max(lineReply.retryAfterMs, ownPauseMs));
      continue;
    }
    const waitMs = Math.min(lineReply.retryAfterMs, ownPauseMs);
    await waitToRetry(context, run, waitFor(lineReply.refusal), waitMs);
  }
}

/** Waits, or until the batch stops, and keeps showing why. */
async function waitToRetry(
  context: AnswerLinesContext,
  run: Run,
  reason: BatchWait,
  waitMs: number,
): Promise<void> {
  for (let leftMs = waitMs; leftMs > 0 && stopNow(context, run) === null; leftMs -= LOOK_MS) {
    run.pace.waits(reason);
    await context.timers.wait(Math.min(leftMs, LOOK_MS), run.signal);
  }
}

/** Waits for an earlier process's call, which is charged at the latest when that process's holds are taken over. */
async function awaitFormerAnswer(context: AnswerLinesContext, { batch, lease, signal }: Run, line: number) {
  while (!signal.aborted && !lease.isLost) {
    const former = await findFormerAnswer(context, batch, line);
    if (former !== "under way") return former;
    await context.timers.wait(LOOK_MS, signal);
  }
  return null;
}

function stopNow(
  { runtime, steadyClock }: AnswerLinesContext,
  { batch, lease, signal, isCanceled }: Run,
): Stop {
  if (signal.aborted || lease.isLost || isCanceled()) return "cancelled";
  const isExpired = runtime.clock.nowMs() >= batch.expiresAtMs && !steadyClock.mayBeFarOff();
  return isExpired ? "expired" : null;
}
