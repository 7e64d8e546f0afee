import { type Message, refusedMessage } from "@/components/playground/messages/message";
import { fillPrompt, PROMPT_TOO_LONG } from "@/components/playground/variables/prompt-text";
import type { Problem } from "@/lib/console/gateway/problem";
import { MAX_STORED_ANSWER_LENGTH } from "@/lib/contract/bounds";
import type { PromptResult } from "@/lib/contract/operations/playground/prompt-runs";
import type { PromptCase, PromptContent } from "@/lib/contract/operations/playground/prompts";
import { checkAnswer } from "./check-answer";

/** One call of a run. */
export interface Cell {
  readonly version: number;
  /** The index of its case, from 0. */
  readonly caseIndex: number;
  readonly model: string;
  /** The prompt, whose variables are replaced when the call is sent. */
  readonly content: PromptContent;
  readonly asked: PromptCase;
}

/** Number of concurrent calls. */
const AT_ONCE = 4;

/** Sends one call with its body. Resolves when it has ended or the signal has aborted it. */
export type SendCell = (cell: Cell, body: Record<string, unknown>, signal: AbortSignal) => Promise<Message>;
/** Returns the charge of a call from the ledger; null if there is none or it is unknown. */
type FindCharge = (requestId: string) => Promise<string | null>;

interface Running {
  readonly send: SendCell;
  readonly charge: FindCharge;
  readonly onResult: (result: PromptResult) => void;
  readonly signal: AbortSignal;
}

/** Returns all calls of a plan, case by case, so that versions and models can be compared from the start. */
export function listCells(
  cases: readonly PromptCase[],
  versions: readonly { readonly number: number; readonly content: PromptContent }[],
  models: readonly string[],
): Cell[] {
  return cases.flatMap((asked, caseIndex) =>
    models.flatMap((model) =>
      versions.map(({ number, content }) => ({
        version: number,
        caseIndex,
        model,
        asked,
        content,
      })),
    ),
  );
}

/** Returns the request body of a cell's call; null if it would be too long. */
export function buildCallBody({ content, asked, model }: Cell): Record<string, unknown> | null {
  const filled = fillPrompt(content, asked.variables);
  return filled && { model, ...filled.body };
}

/** Returns a key for a cell that is unique within its run. */
export function formatCellKey(version: number, caseIndex: number, model: string): string {
  return `${version} ${caseIndex} ${model}`;
}

/**
 * Sends all cells, a few at once. When the signal aborts, no further call starts and running calls stop.
 * @throws what the first cell that fails throws, once the calls under way have ended. No further call starts then.
 */
export async function runCells(cells: readonly Cell[], running: Running): Promise<void> {
  const left = [...cells];
  const work = async () => {
    for (let cell = left.shift(); cell && !running.signal.aborted; cell = left.shift()) {
      running.onResult(await runCell(cell, running));
    }
  };
  const stopOthers = (error: unknown) => {
    left.length = 0;
    throw error;
  };
  const workers = Array.from({ length: AT_ONCE }, () => work().catch(stopOthers));
  const failed = (await Promise.allSettled(workers)).find(({ status }) => status === "rejected");
  if (failed?.status === "rejected") throw failed.reason;
}

async function runCell(cell: Cell, { send, charge, signal }: Running): Promise<PromptResult> {
  const body = buildCallBody(cell);
  const { text, call } = body
    ? await send(cell, body, signal)
    : refusedMessage("cell", cell.model, PROMPT_TOO_LONG);
  const state = call?.state ?? "stopped";
  const hasEnded = state === "finished" || state === "refused" || state === "broken";
  const requestId = call?.requestId ?? null;
  const amount = state !== "refused" && requestId !== null ? await charge(requestId) : null;
  const durationMs = whole(call?.totalMs);
  const { checks } = cell.asked;
  return {
    prompt_version: cell.version,
    case: cell.caseIndex,
    model: cell.model,
    state: hasEnded ? state : "stopped",
    request_id: requestId,
    answer: text.slice(0, MAX_STORED_ANSWER_LENGTH),
    problem: call?.problem
      ? { check: nameFailedCheck(call.problem), message: call.problem.message.slice(0, 2_000) }
      : null,
    prompt_tokens: call?.usage?.promptTokens ?? null,
    completion_tokens: call?.usage?.completionTokens ?? null,
    amount,
    first_word_ms: whole(call?.firstWordMs),
    duration_ms: durationMs,
    checks:
      state === "finished"
        ? await checkAnswer(checks, { answer: text, amount, durationMs })
        : checks.map(() => "There is no whole answer"),
  };
}

function whole(milliseconds: number | null | undefined): number | null {
  return typeof milliseconds === "number" ? Math.round(milliseconds) : null;
}

/** Names the check that refused a call; for a limit, by the limit's API name. */
function nameFailedCheck(problem: Problem): string {
  if (problem.code === "rate_limited") return problem.limit?.field ?? problem.code;
  return problem.code === "insufficient_balance" ? "balance" : problem.code;
}
