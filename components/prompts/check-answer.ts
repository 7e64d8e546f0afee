import type { PromptCheck } from "@/lib/contract/operations/playground/prompts";
import { parseCheckedAmount } from "@/lib/money/amount";

/** The properties of an answer that checks look at. */
export interface Answered {
  readonly answer: string;
  /** Null if the charge is unknown. */
  readonly amount: string | null;
  readonly durationMs: number | null;
}

/**
 * Runs a case's checks on its answer. A check whose code can't be loaded fails: the answer was paid for and is kept.
 * @returns for each check null if it passed, otherwise the reason why it failed.
 */
export function checkAnswer(checks: readonly PromptCheck[], answered: Answered): Promise<(string | null)[]> {
  return Promise.all(checks.map((check) => findFault(check, answered).catch(() => NOT_CHECKED)));
}

const NOT_CHECKED = "Could not be checked. Reload the page and run the case again";

async function findFault(
  check: PromptCheck,
  { answer, amount, durationMs }: Answered,
): Promise<string | null> {
  switch (check.type) {
    case "contains":
      return answer.includes(check.text) ? null : `Does not contain “${short(check.text)}”`;
    case "equals":
      return answer.trim() === check.text.trim() ? null : `Is not “${short(check.text)}”`;
    case "matches": {
      const { RE2JS } = await import("re2js");
      return RE2JS.compile(check.pattern).matcher(answer).find()
        ? null
        : `Does not match ${short(check.pattern)}`;
    }
    case "json_schema": {
      const { checkOnThread } = await import("@/components/playground/messages/check-on-thread");
      const schema = JSON.stringify(check.schema);
      const fault = await checkOnThread({ text: answer, schema, isLive: false });
      return fault === null ? null : `Does not fit the schema: ${fault}`.slice(0, 500);
    }
    case "cost_below":
      if (amount === null) return "Its cost is not known";
      return parseCheckedAmount(amount) < parseCheckedAmount(check.amount)
        ? null
        : `Costs ${amount}, not below ${check.amount}`;
    case "latency_below":
      if (durationMs === null) return "Its duration is not known";
      return durationMs < check.ms ? null : `Took ${durationMs} ms, not below ${check.ms} ms`;
  }
}

function short(text: string): string {
  const characters = [...text];
  return characters.length > 80 ? `${characters.slice(0, 80).join("")}…` : text;
}

/** Describes a check in words. */
export function describeCheck(check: PromptCheck): string {
  switch (check.type) {
    case "contains":
      return `contains “${short(check.text)}”`;
    case "equals":
      return `equals “${short(check.text)}”`;
    case "matches":
      return `matches ${short(check.pattern)}`;
    case "json_schema":
      return "fits its JSON schema";
    case "cost_below":
      return `costs less than ${check.amount}`;
    case "latency_below":
      return `takes less than ${check.ms} ms`;
  }
}
