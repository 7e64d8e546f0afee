import type { FileStorage } from "../files/file-storage";
import {
  type BatchClaims,
  type BatchEnd,
  type BatchProgress,
  type BatchRecord,
  type BatchStore,
  NO_PROGRESS,
} from "./batch-store.sql";
import { type AnsweredLines, type AnswerLinesContext, answerInOrder, type Run } from "./lines/answer-lines";
import { type FileLine, readLines } from "./lines/batch-line";
import { addProgress, formatResultLines } from "./lines/line-results";
import type { ResultFile, ResultFiles } from "./result-files";

export interface RunContext extends AnswerLinesContext {
  readonly claims: Pick<BatchClaims, "end">;
  readonly batches: Pick<BatchStore, "find" | "listLineCosts">;
  readonly storedFiles: Pick<FileStorage, "open">;
  readonly resultFiles: ResultFiles;
  /** Lets other gateways read a complete result file. Never rejects. */
  publishResult(fileId: string, bytes: number): Promise<void>;
  /** Whether every earlier process wrote its results to this disk. */
  readonly isAlone: boolean;
  /** Retention of result files in milliseconds if the batch sets none; null: forever. */
  readonly filesMs: number | null;
}

/** The maximum number of results stored together. */
const STORED_TOGETHER = { lines: 64, bytes: 4 * 1024 * 1024 };

/**
 * Answers the lines of a claimed batch from its stored progress to its end. It may be interrupted at any point: results
 * are on disk before the progress that counts them, and a line that is answered again is charged only once. Where an
 * earlier process wrote to another disk, all lines are read again, the answered ones from their stored replies.
 * @param follow `isCanceled`: whether this process has received a cancellation of the batch since it was claimed.
 */
export async function runBatch(
  context: RunContext,
  batch: BatchRecord,
  follow: Pick<Run, "lease" | "signal" | "isCanceled" | "pace">,
): Promise<void> {
  let isStoredCanceled = await isCancelStored(context, batch.id);
  const run: Run = { ...follow, batch, isCanceled: () => isStoredCanceled || follow.isCanceled() };
  const isOver = () => run.lease.isLost || run.signal.aborted;
  const input = await context.storedFiles.open(batch.inputFileId, 0);
  let progress: BatchProgress = context.isAlone ? batch : NO_PROGRESS;
  if (!input) {
    await end(context, run, progress, "cancelled");
    throw new Error(`The input of ${batch.id}, ${batch.inputFileId}, is gone from the disk; it has ended`);
  }
  const from = { at: progress.readBytes, number: progress.readLines };
  for await (const lines of groupLines(readLines(input.read(from.at, input.bytes), from))) {
    const mayBeAnswered = (lines[0]?.number ?? 0) <= batch.readLines + STORED_TOGETHER.lines;
    for await (const answeredLines of answerInOrder(context, run, lines, { mayBeAnswered })) {
      // A process that is shutting down stores nothing. The next process repeats these lines and gets their stored
      // replies.
      if (isOver()) continue;
      progress = (await storeResults(context, run, progress, answeredLines)) ?? progress;
      // Another process may have received a cancellation.
      isStoredCanceled ||= await isCancelStored(context, batch.id);
    }
    if (isOver()) return;
    if (run.isCanceled() && progress.readLines >= batch.readLines) break;
  }
  // The stored progress decides, since an earlier process may have stored the last lines.
  const isWhole = progress.completed + progress.failed === batch.total;
  await end(context, run, progress, run.isCanceled() ? "cancelled" : isWhole ? "completed" : "expired");
}

/** An earlier process has begun no line beyond the group after its progress: a group is stored before the next. */
async function* groupLines(lines: AsyncIterable<FileLine>): AsyncGenerator<FileLine[]> {
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

async function isCancelStored({ batches }: Pick<RunContext, "batches">, id: string): Promise<boolean> {
  const now = await batches.find(id);
  return now !== null && now.cancelRequestedAtMs !== null;
}

/**
 * Writes results only while the claim holds, since they overwrite what follows. @returns null once the claim is lost.
 */
async function storeResults(
  { batches, resultFiles }: RunContext,
  { batch, lease }: Run,
  before: BatchProgress,
  { lines, results }: AnsweredLines,
): Promise<BatchProgress | null> {
  const requestIds = results.flatMap((result) => (result.kind === "answered" ? [result.requestId] : []));
  const costs = await batches.listLineCosts(requestIds);
  const { output, errors } = formatResultLines(batch.id, lines, results, costs);
  if (!(await lease.isHeld(batch.id))) return null;
  const outputBytes = await resultFiles.append(batch.outputFileId, before.outputBytes, output);
  if (!(await lease.isHeld(batch.id))) return null;
  const errorBytes = await resultFiles.append(batch.errorFileId, before.errorBytes, errors);
  const last = lines.at(-1);
  const readPosition = {
    readBytes: last?.endsAt ?? before.readBytes,
    readLines: last?.number ?? before.readLines,
  };
  const progress = { ...addProgress(before, results, costs), ...readPosition, outputBytes, errorBytes };
  // What is read again changes no stored progress until it is beyond it.
  if (progress.readLines < batch.readLines) return progress;
  return (await lease.save(batch.id, progress)) ? progress : null;
}

/** Does nothing once another process has taken the batch over: it may have stored more, and ends the batch itself. */
async function end(
  { claims, resultFiles, publishResult, runtime, filesMs }: RunContext,
  { batch, lease }: Run,
  progress: BatchProgress,
  status: BatchEnd["status"],
): Promise<void> {
  // An earlier process may have written lines that it didn't count.
  if (!(await lease.isHeld(batch.id))) return;
  await resultFiles.append(batch.outputFileId, progress.outputBytes, []);
  if (!(await lease.isHeld(batch.id))) return;
  await resultFiles.append(batch.errorFileId, progress.errorBytes, []);
  const atMs = runtime.clock.nowMs();
  const keptMs = batch.outputExpiresAfterMs ?? filesMs;
  const expiresAtMs = keptMs === null ? null : atMs + keptMs;
  const resultFile = {
    projectId: batch.projectId,
    keyId: batch.keyId,
    purpose: "batch_output",
    createdAtMs: atMs,
    expiresAtMs,
  } as const;
  const { outputBytes, errorBytes } = progress;
  const files: ResultFile[] = [
    { id: batch.outputFileId, filename: `${batch.id}_output.jsonl`, bytes: outputBytes, ...resultFile },
    { id: batch.errorFileId, filename: `${batch.id}_error.jsonl`, bytes: errorBytes, ...resultFile },
  ];
  const filled = files.filter(({ bytes }) => bytes > 0);
  for (const { id, bytes } of filled) await publishResult(id, bytes);
  if (!(await lease.isHeld(batch.id))) return;
  await claims.end(batch.id, progress, { status, atMs, files: filled });
}
