import { toNano } from "@/lib/money/amount";
import type { BatchProgress, LineCosts } from "../../batches/batch-store";
import type { LineBody } from "./answer-line";
import type { FileLine } from "./read-lines";

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

/** The results as lines of the two files, in the form of OpenAI's batches. Each line is in pieces. */
export function formatResultLines(
  batchId: string,
  lines: readonly FileLine[],
  results: readonly LineResult[],
) {
  const output: LineBody[] = [];
  const errors: LineBody[] = [];
  for (const [index, result] of results.entries()) {
    if (result.kind === "cancelled") continue;
    const id = `batch_req_${batchId.slice("batch_".length)}_${lines[index]?.number}`;
    const head = JSON.stringify({ id, custom_id: result.customId }).slice(0, -1);
    if (result.kind !== "answered") {
      errors.push([Buffer.from(`${head},"response":null,"error":${JSON.stringify(expiredError)}}\n`)]);
      continue;
    }
    const { status, requestId, body } = result;
    const response = JSON.stringify({ status_code: status, request_id: requestId }).slice(0, -1);
    const lineStart = Buffer.from(`${head},"response":${response},"body":`);
    (isGood(status) ? output : errors).push([lineStart, ...body, Buffer.from('},"error":null}\n')]);
  }
  return { output, errors };
}

/** Counts answered lines only. */
export function addProgress(
  before: BatchProgress,
  results: readonly LineResult[],
  costs: LineCosts,
): BatchProgress {
  const answeredLines = results.filter((result) => result.kind === "answered");
  const completedCount = answeredLines.filter(({ status }) => isGood(status)).length;
  return {
    ...before,
    completed: before.completed + completedCount,
    failed: before.failed + answeredLines.length - completedCount,
    inputTokens: before.inputTokens + costs.inputTokens,
    outputTokens: before.outputTokens + costs.outputTokens,
    cachedTokens: before.cachedTokens + costs.cachedTokens,
    charged: before.charged === null ? null : toNano(before.charged + costs.charged),
  };
}

function isGood(status: number): boolean {
  return status >= 200 && status < 300;
}
