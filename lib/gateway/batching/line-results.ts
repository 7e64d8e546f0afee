import type { BatchProgress } from "../batches/batch-store";
import type { FileLine } from "./read-lines";

/** The result of a line. A line that was canceled before it began appears in neither file. */
export type LineResult =
  | {
      readonly kind: "answered";
      readonly customId: string;
      readonly status: number;
      readonly requestId: string;
      readonly body: unknown;
    }
  | { readonly kind: "expired" | "cancelled"; readonly customId: string };

const expired = {
  code: "batch_expired",
  message: "The batch's completion window ended before this line was answered. It costs nothing.",
};

/** The results as lines of the two files, in the form of OpenAI's batches. */
export function resultLines(batchId: string, lines: readonly FileLine[], results: readonly LineResult[]) {
  const output: string[] = [];
  const errors: string[] = [];
  for (const [index, result] of results.entries()) {
    if (result.kind === "cancelled") continue;
    const id = `batch_req_${batchId.slice("batch_".length)}_${lines[index]?.number}`;
    const head = { id, custom_id: result.customId };
    if (result.kind !== "answered") {
      errors.push(JSON.stringify({ ...head, response: null, error: expired }));
      continue;
    }
    const { status, requestId, body } = result;
    const response = { status_code: status, request_id: requestId, body };
    (isGood(status) ? output : errors).push(JSON.stringify({ ...head, response, error: null }));
  }
  return { output, errors };
}

/** Counts answered lines only. */
export function progressAfter(before: BatchProgress, results: readonly LineResult[]): BatchProgress {
  const sum = { ...before };
  for (const result of results) {
    if (result.kind !== "answered") continue;
    if (!isGood(result.status)) sum.failed++;
    else {
      const { usage } = result.body as { usage?: Usage };
      sum.completed++;
      sum.inputTokens += tokensOf(usage?.prompt_tokens);
      sum.outputTokens += tokensOf(usage?.completion_tokens);
      sum.cachedTokens += tokensOf(usage?.prompt_tokens_details?.cached_tokens);
    }
  }
  return sum;
}

interface Usage {
  readonly prompt_tokens?: unknown;
  readonly completion_tokens?: unknown;
  readonly prompt_tokens_details?: { readonly cached_tokens?: unknown };
}

function tokensOf(value: unknown): number {
  return Number.isSafeInteger(value) && (value as number) > 0 ? (value as number) : 0;
}

function isGood(status: number): boolean {
  return status >= 200 && status < 300;
}
