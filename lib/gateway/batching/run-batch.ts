import { setTimeout } from "node:timers/promises";
import type { BatchClaims, BatchEnd, BatchProgress, BatchRecord, BatchStore } from "../batches/batch-store";
import type { ResultFile, ResultFiles } from "../batches/result-files";
import type { OutputFiles } from "../tasks/output-files";
import { type AnswerLineContext, answerLine, isHeldBack } from "./answer-line";
import { readBatchLine } from "./batch-line";
import { type BatchPace, waitFor } from "./batch-pace";
import { bytesOf, type LineResult, progressAfter, resultLines } from "./line-results";
import type { LineThrottle } from "./line-throttle";
import { type FileLine, readLines } from "./read-lines";
import type { ResultRoom } from "./result-room";

export interface RunContext extends AnswerLineContext {
  readonly claims: Pick<BatchClaims, "save" | "end">;
  readonly batches: Pick<BatchStore, "find" | "costsOf">;
  readonly storedFiles: Pick<OutputFiles, "open">;
  readonly resultFiles: ResultFiles;
  readonly throttle: LineThrottle;
  readonly room: ResultRoom;
  /** Retention of result files in milliseconds if the batch sets none; null: forever. */
  readonly filesMs: number | null;
}

/** The number of lines answered concurrently, and the maximum number of results stored together. */
const AT_ONCE = 16;
const STORED_TOGETHER = { lines: 64, bytes: 4 * 1024 * 1024 };
/** How many times a line is sent to a provider that fails. */
const MAX_TRIES = 3;
const MAX_RETRY_DELAY_MS = 1_000;
/** How often the results of slow lines are stored. */
const STORED_EVERY_MS = 1_000;

const STORED: LineResult = { kind: "cancelled", customId: "" };

/** Why a batch stops before its end. */
type Stop = "cancelled" | "expired" | null;

interface Run {
  readonly context: RunContext;
  readonly batch: BatchRecord;
  readonly signal: AbortSignal;
  readonly pace: BatchPace;
  /** Whether this process has received a cancellation of the batch since it was claimed. */
  isCanceled(): boolean;
}

/**
 * Answers the lines of a claimed batch from its stored progress to its end. It may be interrupted at any point: results
 * are on disk before the progress that counts them, and a line that is answered again is charged only once.
 */
export async function runBatch(
  context: RunContext,
  batch: BatchRecord,
  follow: Pick<Run, "signal" | "isCanceled" | "pace">,
): Promise<void> {
  let isLost = false;
  const run: Run = { context, batch, ...follow, isCanceled: () => isLost || follow.isCanceled() };
  const input = await context.storedFiles.open(batch.inputFileId, 0);
  let progress: BatchProgress = batch;
  if (!input) {
    await end(run, progress, "cancelled");
    throw new Error(`The input of ${batch.id}, ${batch.inputFileId}, is gone from the disk; it has ended`);
  }
  const from = { at: batch.readBytes, number: batch.readLines };
  for await (const lines of together(readLines(input.read(from.at, input.bytes), from))) {
    for await (const answered of answerInOrder(run, lines)) {
      // A process that is shutting down stores nothing. The next process repeats these lines and gets their stored
      // replies.
      if (isLost || follow.signal.aborted) continue;
      progress = await keep(run, progress, answered);
      const { claims, effects } = context;
      isLost = !(await claims.save(batch.id, progress, effects.clock.nowMs()));
    }
    if (isLost || follow.signal.aborted) return;
    if (await stopOf(run, "cancelled")) return void (await end(run, progress, "cancelled"));
  }
  await end(run, progress, (await stopOf(run, "expired")) === "expired" ? "expired" : "completed");
}

async function* together(lines: AsyncIterable<FileLine>): AsyncGenerator<FileLine[]> {
  let some: FileLine[] = [];
  let bytes = 0;
  for await (const line of lines) {
    some.push(line);
    bytes += line.bytes.byteLength;
    if (some.length < STORED_TOGETHER.lines && bytes < STORED_TOGETHER.bytes) continue;
    yield some;
    [some, bytes] = [[], 0];
  }
  if (some.length > 0) yield some;
}

/** Answered lines with their results. */
interface Answered {
  readonly lines: readonly FileLine[];
  readonly results: readonly LineResult[];
}

/**
 * Answers lines concurrently. Yields the completed lines at the front every second, so that progress is visible even with
 * slow lines.
 */
async function* answerInOrder(run: Run, lines: readonly FileLine[]): AsyncGenerator<Answered> {
  const { room } = run.context;
  const results: LineResult[] = [];
  const left = lines.entries();
  const answerSome = async () => {
    for (const [index, line] of left) {
      await room.enter();
      const result = await answer(run, line).catch((error: unknown) => {
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
      await Promise.race([work, rest(STORED_EVERY_MS, pause.signal)]).finally(() => pause.abort());
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

async function answer(run: Run, line: FileLine): Promise<LineResult> {
  const { context, batch, pace } = run;
  const call = { ...readBatchLine(line, batch.endpoint), number: line.number };
  const { customId } = call;
  for (let tries = 1; ; ) {
    await context.throttle.begin(
      batch,
      () => stopNow(run) !== null,
      (reason) => pace.waits(reason),
    );
    const stop = stopNow(run);
    const asked = stop ? null : answerLine(context, batch, call);
    const answered = await Promise.resolve(asked).finally(() => context.throttle.lineEnds(batch));
    if (!answered) return { kind: stop ?? "cancelled", customId };
    if ("status" in answered) return { kind: "answered", customId, ...answered };
    if (!isHeldBack(answered) && ++tries > MAX_TRIES) {
      const { refusal, requestId } = answered;
      const body = [Buffer.from(JSON.stringify(refusal.body(requestId)))];
      return { kind: "answered", customId, status: refusal.status, requestId, body };
    }
    pace.waits(waitFor(answered.refusal));
    await rest(Math.min(answered.waitMs, MAX_RETRY_DELAY_MS), run.signal);
  }
}

function stopNow({ context, batch, signal, isCanceled }: Run): Stop {
  if (signal.aborted || isCanceled()) return "cancelled";
  return context.effects.clock.nowMs() >= batch.expiresAtMs ? "expired" : null;
}

/** Reads the stored state, since another process may have received the cancellation. */
async function stopOf(run: Run, why: Stop): Promise<Stop> {
  if (why === "expired") return run.context.effects.clock.nowMs() >= run.batch.expiresAtMs ? "expired" : null;
  const now = await run.context.batches.find(run.batch.id);
  return now && now.cancelRequestedAtMs !== null ? "cancelled" : null;
}

async function keep(
  { context, batch }: Run,
  before: BatchProgress,
  { lines, results }: Answered,
): Promise<BatchProgress> {
  const { output, errors } = resultLines(batch.id, lines, results);
  const outputBytes = await context.resultFiles.append(batch.outputFileId, before.outputBytes, output);
  const errorBytes = await context.resultFiles.append(batch.errorFileId, before.errorBytes, errors);
  const requestIds = results.flatMap((result) => (result.kind === "answered" ? [result.requestId] : []));
  const costs = await context.batches.costsOf(requestIds);
  const last = lines.at(-1);
  const read = { readBytes: last?.endsAt ?? before.readBytes, readLines: last?.number ?? before.readLines };
  return { ...progressAfter(before, results, costs), ...read, outputBytes, errorBytes };
}

async function end(
  { context, batch }: Run,
  progress: BatchProgress,
  status: BatchEnd["status"],
): Promise<void> {
  const atMs = context.effects.clock.nowMs();
  const keptMs = batch.outputExpiresAfterMs ?? context.filesMs;
  const expiresAtMs = keptMs === null ? null : atMs + keptMs;
  const made = {
    projectId: batch.projectId,
    keyId: batch.keyId,
    purpose: "batch_output",
    createdAtMs: atMs,
    expiresAtMs,
  } as const;
  const { outputBytes, errorBytes } = progress;
  const files: ResultFile[] = [
    { id: batch.outputFileId, filename: `${batch.id}_output.jsonl`, bytes: outputBytes, ...made },
    { id: batch.errorFileId, filename: `${batch.id}_error.jsonl`, bytes: errorBytes, ...made },
  ];
  await context.claims.end(batch.id, progress, {
    status,
    atMs,
    files: files.filter(({ bytes }) => bytes > 0),
  });
}

/** Waits, but returns early once the signal aborts. */
async function rest(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => {});
}
