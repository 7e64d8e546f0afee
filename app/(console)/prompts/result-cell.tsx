import { limitLabels } from "@/components/rate-limits/limit-fields";
import { TextLink } from "@/components/ui/links/text-link";
import { Status, type Tone } from "@/components/ui/status";
import { formatCount } from "@/components/ui/values/group-digits";
import { Money } from "@/components/ui/values/money";
import { paths } from "@/lib/console/paths";
import type { PromptResult } from "@/lib/contract/operations/playground/prompt-runs";

type ResultCellProps = {
  result: PromptResult | undefined;
  currency: string;
  isRunning: boolean;
  open: () => void;
  /** The accessible name of the result. */
  label: string;
};

/** A short summary of one call's result. */
export function ResultCell({ result, currency, isRunning, open, label }: ResultCellProps) {
  if (!result) return <span className="text-sm text-muted">{isRunning ? "Waiting…" : "Not run"}</span>;
  const { tone, label: outcome } = describeResult(result);
  const message = result.problem?.message ?? result.checks.find((fault) => fault !== null) ?? null;
  return (
    <div className="grid gap-1">
      <Status tone={tone}>{outcome}</Status>
      {message !== null && <p className="line-clamp-2 text-sm wrap-anywhere text-muted">{message}</p>}
      {result.answer !== "" && (
        <button
          type="button"
          aria-label={`Answer: ${label}`}
          onClick={open}
          className="line-clamp-3 rounded-sm text-left wrap-anywhere hover:text-accent-text"
        >
          {result.answer.slice(0, 400)}
        </button>
      )}
      <p className="flex flex-wrap gap-x-3 text-sm text-muted">
        {result.amount !== null && <Money amount={result.amount} currency={currency} />}
        {result.duration_ms !== null && <span>{formatCount(result.duration_ms)} ms</span>}
        {result.request_id !== null && (
          <TextLink href={paths.request(result.request_id)} aria-label={`Receipt: ${label}`}>
            Receipt
          </TextLink>
        )}
      </p>
    </div>
  );
}

/** Returns a result's outcome in a few words. For a refused call, they name the check. */
export function describeResult({ state, problem, checks }: PromptResult): { tone: Tone; label: string } {
  if (state === "refused") {
    const check = problem?.check ?? "";
    return {
      tone: "bad",
      label: unchecked.get(check) ?? `Refused: ${names.get(check) ?? check.replaceAll("_", " ")}`,
    };
  }
  if (state === "broken") return { tone: "bad", label: "Broke off" };
  if (state === "stopped") return { tone: "neutral", label: "Stopped" };
  const failed = checks.filter((fault) => fault !== null).length;
  if (failed > 0) {
    return {
      tone: "bad",
      label: checks.length === 1 ? "Check failed" : `${failed} of ${checks.length} checks failed`,
    };
  }
  if (checks.length === 0) return { tone: "good", label: "Answered" };
  return { tone: "good", label: checks.length === 1 ? "Check passed" : `${checks.length} checks passed` };
}

/** The outcomes that no check of the gateway decided. */
const unchecked: ReadonlyMap<string, string> = new Map([
  // The provider refused, or too many calls ran at once. The message says which.
  ["rate_limited", "Refused for now"],
  ["unreachable", "No answer"],
  ["failed", "The provider failed"],
]);

const names: ReadonlyMap<string, string> = new Map([
  ...Object.entries(limitLabels),
  ["missing_permission", "permission"],
  ["refused", "access"],
  ["circuit_open", "circuit breaker"],
  ["insufficient_balance", "balance"],
  ["invalid", "the request"],
  ["not_found", "the model"],
]);
