import { nameCounted } from "@/components/rate-limits/limit-fields";
import { describeDuration } from "@/components/ui/values/describe-latency";
import { describeUnits } from "@/components/ui/values/describe-units";
import { formatDecimal, groupDigits } from "@/components/ui/values/group-digits";
import { rateLimitFields } from "@/lib/contract/calls/rate-limit-table";
import type { SharedReceipt } from "@/lib/contract/operations/calls/receipt-links";
import type { RequestCheck } from "@/lib/contract/operations/calls/receipt-parts";
import type { RequestReceipt } from "@/lib/contract/operations/calls/requests";
import { labelCheck } from "./describe-outcome";

interface ReceiptWords {
  readonly title: string;
  readonly sentence: string;
  /** What the caller could change so that the call passes; null if there is nothing to say. */
  readonly mend: string | null;
}

/** The parts of a receipt that its words come from. A shared one has no others. */
type DescribedReceipt = Pick<RequestReceipt, "checks" | "hold" | "task_id"> & {
  readonly request: SharedReceipt["request"];
};

/** Describes a call's outcome in a headline and a sentence, only from recorded facts. */
export function describeReceipt(receipt: DescribedReceipt): ReceiptWords {
  const { request, checks } = receipt;
  if (request.outcome !== "refused") return describeEnded(receipt);
  const decider = checks.find(({ verdict }) => verdict === "refused");
  if (!decider)
    return { title: "Refused", sentence: "Nothing was sent and nothing was charged.", mend: null };
  if (decider.window === "minute" || decider.window === "day")
    return withOthers(describeLimit(decider), checks);
  return describeEarly(decider, request.refused_by) ?? describeOther(decider, request.currency);
}

function describeEnded({ request, hold, task_id }: DescribedReceipt): ReceiptWords {
  const { prompt_tokens: tokensIn, completion_tokens: tokensOut, duration_ms: took } = request;
  const after = took === null ? "" : ` after ${describeDuration(took)}`;
  const cached = request.cached_tokens ? ` (${count(String(request.cached_tokens))} from a cache)` : "";
  const usage =
    request.units !== null && request.unit !== null
      ? `: ${describeUnits(request.units, request.unit)}`
      : tokensIn === null
        ? ""
        : `: ${count(String(tokensIn))} ${tokensIn === 1 ? "token" : "tokens"} in${cached}, ${count(String(tokensOut))} out`;
  const cost =
    request.amount === null
      ? "It cost nothing."
      : `It cost ${formatDecimal(request.amount)} ${request.currency}${usage}.`;
  const held = hold ? `${formatDecimal(hold.amount)} ${hold.currency}` : "The most it can cost";
  const words = {
    completed: [took === null ? "Completed" : `Completed in ${describeDuration(took)}`, cost],
    // A task goes on without its client, so it ends like this only if it was canceled.
    client_gone: task_id
      ? [`The task was canceled${after}`, cost]
      : [`The client left${after}`, `The provider’s call was stopped. ${cost}`],
    provider_failed: [`The provider failed${after}`, cost],
    interrupted: ["The gateway stopped before the call ended", cost],
    unsent: ["Not sent", "It never reached a provider. It cost nothing and counts in no limit."],
    in_progress: ["In progress", `${held} is on hold until it ends.`],
    refused: ["Refused", cost],
  } as const;
  const [title, sentence] = words[request.outcome];
  return { title, sentence, mend: null };
}

/**
 * Adds other limits that would also have refused. If it suffices to wait for the deciding limit, it suffices for them
 * too; raising that limit doesn't.
 */
function withOthers(words: ReceiptWords, checks: readonly RequestCheck[]): ReceiptWords {
  const others = checks
    .filter(({ verdict }) => verdict === "would_refuse")
    .map(({ check }) => labelCheck(check));
  if (others.length === 0) return words;
  const last = others.at(-1);
  const named = others.length === 1 ? last : `${others.slice(0, -1).join(", ")} and ${last}`;
  return { ...words, mend: `${words.mend ?? ""} ${named} would have refused it too.`.trimStart() };
}

function describeLimit({ check, value, limit, needed }: RequestCheck): ReceiptWords {
  const label = labelCheck(check);
  if (value === null || limit === null || needed === null) {
    return { title: `${label} is used up`, sentence: "The figures were not recorded.", mend: null };
  }
  const [used, max, more] = [BigInt(value), BigInt(limit), BigInt(needed)];
  const left = max > used ? max - used : 0n;
  const enough = count(String(used + more));
  const unit = nameUnit(check, more);
  if (more > max) {
    return {
      title: `${label} is less than this call needs`,
      sentence: `It needed ${count(needed)}${unit}, and the limit is ${count(limit)}. It can never pass.`,
      mend: `A limit of ${count(String(more))} or more lets it through, or a smaller call.`,
    };
  }
  return {
    title: `${label} is used up`,
    sentence: `It needed ${count(needed)}${unit}, and ${count(String(left))} of ${count(limit)} ${left === 1n ? "was" : "were"} left.`,
    mend: `A limit of ${enough} or more would have let it through.`,
  };
}

/** ` tokens`, as it follows a number; nothing for a check that is no rate limit. */
function nameUnit(check: string, number: bigint): string {
  const field = rateLimitFields.find((known) => known === check);
  if (!field) return "";
  return ` ${nameCounted(field, number)}`;
}

/** Explains a refusal from before the limits were checked; null for other checks. */
function describeEarly({ check, value }: RequestCheck, code: string | null): ReceiptWords | null {
  if (check === "request") {
    return {
      title: "The request was not accepted",
      sentence: `${value === null ? "It" : `The field ${value}`} was refused (${code}). Nothing was sent and nothing was charged.`,
      mend: "The error that the caller got says what to change.",
    };
  }
  if (check !== "model") return null;
  const reasons: Readonly<Record<string, readonly [sentence: string, mend: string]>> = {
    model_not_found: [
      `There is no model ${value}.`,
      "Call a model that the project may use, or add this one.",
    ],
    model_not_allowed: [
      `The project may not call ${value}.`,
      "Add it to the project’s model permissions to allow calls.",
    ],
    model_not_priced: [`${value} has no price.`, "Set a price to allow calls; 0 makes it free."],
  };
  const [sentence, mend] = reasons[code ?? ""] ?? [`${value} can’t be called.`, null];
  return { title: "The model can’t be called", sentence, mend };
}

function describeOther({ check, value, limit, needed, scope }: RequestCheck, currency: string): ReceiptWords {
  const needs = needed === null ? "" : `It needed at least ${formatDecimal(needed)} ${currency}`;
  switch (check) {
    case "balance":
      return {
        title: "The balance is too low",
        sentence:
          value === null ? `${needs}.` : `${needs}, and ${formatDecimal(value)} ${currency} was available.`,
        mend: "Record a payment, or make a shorter call.",
      };
    case "spend_limit":
      return {
        title: `The ${scope === null ? "month" : scope}’s spend limit is used up`,
        sentence:
          value === null || limit === null
            ? `${needs}.`
            : `${needs}, and ${formatDecimal(value)} of ${formatDecimal(limit)} ${currency} was spent or set aside.`,
        mend: "Raise the spend limit, or wait for the next month.",
      };
    case "circuit":
      return {
        title: "The circuit breaker was open",
        sentence: `${value === null ? "Too many" : `The last ${count(value)}`} calls to the model’s provider had failed in a row, so this one was not sent.`,
        mend: "Calls are sent again once a trial call succeeds.",
      };
    case "concurrency":
      return {
        title: "Too many concurrent calls",
        sentence: "The maximum number of concurrent calls was reached.",
        mend: "Retry once another call has ended.",
      };
    default:
      return {
        title: "The provider is at capacity",
        sentence: "The provider’s maximum number of concurrent calls was reached.",
        mend: "Retry once another call has ended.",
      };
  }
}

const count = (text: string) => groupDigits(text);
