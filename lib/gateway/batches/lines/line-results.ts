import type { BatchErrors } from "@/lib/contract/operations/tasks/batches";
import { formatAmount, toNano, ZERO } from "@/lib/money/amount";
import type { FileStorage } from "../../files/file-storage";
import type { BatchProgress, BatchRecord, LineCost } from "../batch-store.sql";
import type { LineBody } from "./answer-line";
import { type FileLine, readLines } from "./batch-line";

/** The result of a line. A line that was canceled before it began appears in neither file. */
export type LineResult =
  | {
      readonly kind: "answered";
      readonly customId: string;
      readonly status: number;
      readonly requestId: string;
      readonly body: LineBody;
    }
  | { readonly kind: "expired" | "cancelled"; readonly customId: string };

const expiredError = {
  code: "batch_expired",
  message: "The batch's completion window ended before this line was answered. It costs nothing.",
};

/** The length of a result's body in bytes. */
export function countResultBytes(result: LineResult): number {
  return result.kind === "answered" ? result.body.reduce((sum, { byteLength }) => sum + byteLength, 0) : 0;
}

/**
 * The results as lines of the two files, in the form of OpenAI's batches. Each line is in pieces. A line of the error
 * file also says what it cost.
 */
export function formatResultLines(
  batchId: string,
  lines: readonly FileLine[],
  results: readonly LineResult[],
  costs: readonly LineCost[],
) {
  const charges = new Map(costs.map(({ requestId, charged }) => [requestId, charged]));
  const output: LineBody[] = [];
  const errors: LineBody[] = [];
  for (const [index, result] of results.entries()) {
    if (result.kind === "cancelled") continue;
    const id = `batch_req_${batchId.slice("batch_".length)}_${lines[index]?.number}`;
    const head = JSON.stringify({ id, custom_id: result.customId }).slice(0, -1);
    if (result.kind !== "answered") {
      errors.push([
        Buffer.from(
          `${head},"response":null,"error":${JSON.stringify(expiredError)},"amount":"${formatAmount(ZERO)}"}\n`,
        ),
      ]);
      continue;
    }
    const { status, requestId, body } = result;
    const response = JSON.stringify({ status_code: status, request_id: requestId }).slice(0, -1);
    const lineStart = Buffer.from(`${head},"response":${response},"body":`);
    if (isGood(status)) output.push([lineStart, ...body, Buffer.from('},"error":null}\n')]);
    else {
      const amount = formatAmount(charges.get(requestId) ?? ZERO);
      errors.push([lineStart, ...body, Buffer.from(`},"error":null,"amount":"${amount}"}\n`)]);
    }
  }
  return { output, errors };
}

/** Counts answered lines only. */
export function addProgress(
  before: BatchProgress,
  results: readonly LineResult[],
  costs: readonly LineCost[],
): BatchProgress {
  const answeredLines = results.filter((result) => result.kind === "answered");
  const completedCount = answeredLines.filter(({ status }) => isGood(status)).length;
  const sum = (count: (cost: LineCost) => number) => costs.reduce((total, cost) => total + count(cost), 0);
  return {
    ...before,
    completed: before.completed + completedCount,
    failed: before.failed + answeredLines.length - completedCount,
    inputTokens: before.inputTokens + sum(({ inputTokens }) => inputTokens),
    outputTokens: before.outputTokens + sum(({ outputTokens }) => outputTokens),
    cachedTokens: before.cachedTokens + sum(({ cachedTokens }) => cachedTokens),
    charged:
      before.charged === null
        ? null
        : toNano(costs.reduce((total, { charged }) => total + charged, BigInt(before.charged))),
  };
}

function isGood(status: number): boolean {
  return status >= 200 && status < 300;
}

const MOST_READ_BYTES = 16 * 1024 * 1024;
const MAX_GROUPS = 50;
const LINES_NAMED = 20;

type Group = BatchErrors["groups"][number];

/** A line of an error file, see `formatResultLines`. */
interface ErrorLine {
  readonly id: string;
  readonly custom_id: string;
  readonly response: {
    readonly status_code: number;
    readonly request_id: string;
    readonly body?: { readonly error?: ErrorWords };
  } | null;
  readonly error: ErrorWords | null;
}

interface ErrorWords {
  readonly code?: string | null;
  readonly message?: string;
}

/** The failed lines of a batch, as far as its stored progress goes. */
export async function readBatchErrors(
  { storedFiles }: { readonly storedFiles: Pick<FileStorage, "open"> },
  { id, errorFileId, errorBytes, failed }: BatchRecord,
): Promise<BatchErrors> {
  const groups = new Map<string, Group>();
  let lines = 0;
  const end = Math.min(errorBytes, MOST_READ_BYTES);
  const storedFile = end > 0 ? await storedFiles.open(errorFileId, 0) : null;
  if (storedFile) {
    for await (const line of readLines(storedFile.read(0, end), { at: 0, number: 0 })) {
      // The last line read may be cut off.
      if (line.endsAt > end || (end < errorBytes && line.endsAt === end)) break;
      countError(groups, JSON.parse(Buffer.from(line.bytes).toString()) as ErrorLine);
      lines++;
    }
  }
  const sortedGroups = [...groups.values()].toSorted((one, other) => other.count - one.count);
  return {
    object: "batch.errors",
    batch_id: id,
    failed: Math.max(failed, lines),
    is_complete:
      end === errorBytes && sortedGroups.length <= MAX_GROUPS && (storedFile !== null || end === 0),
    groups: sortedGroups.slice(0, MAX_GROUPS),
  };
}

function countError(groups: Map<string, Group>, { id, custom_id, response, error }: ErrorLine): void {
  const { code = null, message = "" } = error ?? response?.body?.error ?? {};
  const status = response?.status_code ?? null;
  const key = `${status} ${code}`;
  const group = groups.get(key) ?? { status, code, message, count: 0, lines: [] };
  groups.set(key, group);
  group.count++;
  if (group.lines.length === LINES_NAMED) return;
  const line = Number(id.slice(id.lastIndexOf("_") + 1));
  group.lines.push({ line, custom_id, request_id: response?.request_id ?? null });
}
