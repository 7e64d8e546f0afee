import { formatAmount, toNano, ZERO } from "@/lib/money/amount";
import type { BatchProgress, LineCost } from "../batch-store";
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
