import type { BatchRecord } from "../batches/batch-store";
import type { Timers } from "../effects";
import { type AnswerLineContext, answerLine, isHeldBack } from "./answer-line";
import { readBatchLine } from "./batch-line";
import { type BatchPace, waitFor } from "./batch-pace";
import { type FormerAnswerContext, findFormerAnswer } from "./former-answer";
import type { HeldClaim } from "./held-claim";
import { bytesOf, type LineResult } from "./line-results";
import type { LineThrottle } from "./line-throttle";
import type { FileLine } from "./read-lines";
import type { ResultRoom } from "./result-room";

export interface AnswerLinesContext extends AnswerLineContext, FormerAnswerContext {
  readonly timers: Timers;
  readonly throttle: LineThrottle;
  readonly room: ResultRoom;
}

/** A claimed batch while this process answers its lines. */
export interface Run {
  readonly batch: BatchRecord;
  readonly claim: HeldClaim;
  /** Aborts when the process shuts down. */
  readonly signal: AbortSignal;
  readonly pace: BatchPace;
  isCanceled(): boolean;
}

/** The number of lines answered concurrently. */
const AT_ONCE = 16;
/** How many times a line is sent to a provider that fails. */
const MAX_TRIES = 3;
const MAX_RETRY_DELAY_MS = 1_000;
/** How often the results of slow lines are stored. */
const STORED_EVERY_MS = 1_000;

const STORED: LineResult = { kind: "cancelled", customId: "" };

/** Why a batch stops before its end. */
type Stop = "cancelled" | "expired" | null;

/** Answered lines with their results. */
export interface Answered {
  readonly lines: readonly FileLine[];
  readonly results: readonly LineResult[];
}

/**
 * Answers lines concurrently. Yields the completed lines at the front every second, so that progress is visible even with
 * slow lines.
 * @param mayBeAnswered whether an earlier process may have begun these lines.
 */
export async function* answerInOrder(
  context: AnswerLinesContext,
  run: Run,
  lines: readonly FileLine[],
  mayBeAnswered: boolean,
): AsyncGenerator<Answered> {
  const { room, timers } = context;
  const results: LineResult[] = [];
  const left = lines.entries();
  const answerSome = async () => {
    for (const [index, line] of left) {
      await room.enter();
      const result = await answer(context, run, line, mayBeAnswered).catch((error: unknown) => {
        room.leave(0);
        throw error;
      });
      results[index] = result;
      room.leave(bytesOf(result));
      if (result.kind === "answered") run.pace.answered();
    }
  };
  const work = Promise.all(Array.from({ length: AT_ONCE }, answerSome));
  // It may fail while earlier results are being stored; the race below then throws.
  work.catch(() => {});
  let stored = 0;
  try {
    while (stored < lines.length) {
      const pause = new AbortController();
      await Promise.race([work, timers.wait(STORED_EVERY_MS, pause.signal)]).finally(() => pause.abort());
      let ready = stored;
      while (results[ready]) ready++;
      if (ready === stored) continue;
      const some = results.slice(stored, ready);
      yield { lines: lines.slice(stored, ready), results: some };
      room.stored(some.reduce((sum, result) => sum + bytesOf(result), 0));
      // Stored results are not needed any more.
      for (let index = stored; index < ready; index++) results[index] = STORED;
      stored = ready;
    }
  } finally {
    // Where storing failed, lines in progress still end, and their results are dropped.
    void work
      .catch(() => {})
      .then(() => room.stored(results.reduce((sum, result) => sum + (result ? bytesOf(result) : 0), 0)));
  }
}

async function answer(
  context: AnswerLinesContext,
  run: Run,
  line: FileLine,
  mayBeAnswered: boolean,
): Promise<LineResult> {
  const { batch, claim, pace } = run;
  const call = { ...readBatchLine(line, batch.endpoint), number: line.number };
  const { customId } = call;
  const former = mayBeAnswered ? await awaitFormerAnswer(context, run, line.number) : null;
  if (former) return { kind: "answered", customId, ...former };
  for (let tries = 1, wasAsked = false; ; wasAsked = true) {
    await context.throttle.begin(
      batch,
      () => stopNow(context, run) !== null,
      (reason) => pace.waits(reason),
    );
    await claim.isHeld(batch.id);
    const stop = stopNow(context, run);
    const asked = stop ? null : answerLine(context, batch, call);
    const answered = await Promise.resolve(asked).finally(() => context.throttle.lineEnds(batch));
    if (!answered) {
      // A failed try may have been charged as interrupted by a process that took over its hold.
      const charged = wasAsked ? await awaitFormerAnswer(context, run, line.number) : null;
      return charged ? { kind: "answered", customId, ...charged } : { kind: stop ?? "cancelled", customId };
    }
    if ("status" in answered) return { kind: "answered", customId, ...answered };
    if (!isHeldBack(answered) && ++tries > MAX_TRIES) {
      const { refusal, requestId } = answered;
      const body = [Buffer.from(JSON.stringify(refusal.body(requestId)))];
      return { kind: "answered", customId, status: refusal.status, requestId, body };
    }
    pace.waits(waitFor(answered.refusal));
    await context.timers.wait(Math.min(answered.waitMs, MAX_RETRY_DELAY_MS), run.signal);
  }
}

/** Waits for an earlier process's call, which is charged at the latest when that process's holds are taken over. */
async function awaitFormerAnswer(context: AnswerLinesContext, { batch, claim, signal }: Run, line: number) {
  for (;;) {
    const former = await findFormerAnswer(context, batch, line);
    if (former !== "under way") return former;
    if (signal.aborted || claim.isLost) return null;
    await context.timers.wait(MAX_RETRY_DELAY_MS, signal);
  }
}

function stopNow({ effects }: AnswerLinesContext, { batch, claim, signal, isCanceled }: Run): Stop {
  if (signal.aborted || claim.isLost || isCanceled()) return "cancelled";
  return effects.clock.nowMs() >= batch.expiresAtMs ? "expired" : null;
}
