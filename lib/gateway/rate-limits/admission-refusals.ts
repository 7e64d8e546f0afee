import type { PriceUnit } from "@/lib/contract/calls/model-families";
import { describeLimit } from "@/lib/contract/calls/rate-limit-table";
import { formatAmount, type Nano } from "@/lib/money/amount";
import type { SpendHeadroom } from "../ledger/spend-limits/spend-tracker";
import { Refusal, retryAfter } from "../refusal";
import type { AdmissionRequest } from "./admissions";
import type { Breach } from "./project-model-windows";

/** A request can't be made smaller than a limit of 0. */
function explainNever({ field, max, requested }: Breach): string {
  return max === 0
    ? `No request can pass: have ${field} raised.`
    : `This request needs ${requested}, so it can never pass: make it smaller or have ${field} raised.`;
}

/** 429 for one of the rate limits. */
export function limitReached(breach: Breach, project: string, model: string): Refusal {
  const { field, max, used, requested, resetsInMs } = breach;
  const rule = `The project may use at most ${max} ${describeLimit(field)} of ${model}`;
  const message =
    resetsInMs === null
      ? `${rule}. ${explainNever(breach)}`
      : `${rule}; ${used} are used and this request needs ${requested}. Try again in ${Math.ceil(resetsInMs / 1000)} s.`;
  return new Refusal(429, "rate_limit_error", field, message, {
    limit: { field, max, used, requested, resets_in_ms: resetsInMs, project, model },
    // The official SDKs retry a 429 unless this header tells them not to.
    headers: resetsInMs === null ? { "x-should-retry": "false" } : retryAfter(Math.ceil(resetsInMs / 1000)),
  });
}

/** 429 for too many calls at once. */
export function tooManyAtOnce(max: number): Refusal {
  const inFlight = max === 1 ? "1 call is" : `${max} calls are`;
  const message = `${inFlight} in flight, the most there may be at once. Wait for one to end, then try again.`;
  return new Refusal(429, "rate_limit_error", "concurrency", message, { headers: retryAfter(1) });
}

type PricedRequest = Pick<AdmissionRequest, "price" | "audioMegabytes">;

const smallerOrders: Readonly<Record<Exclude<PriceUnit, "minute">, string>> = {
  image: "ask for fewer or cheaper images",
  megapixel: "ask for fewer or smaller images",
  second: "ask for fewer seconds",
  character: "send a shorter text",
};

/** How a request of this kind is made cheaper, by what is priced. */
function adviseSmaller({ price, audioMegabytes = 0 }: PricedRequest): string {
  const unit = price.perUnit?.unit as PriceUnit | undefined;
  const isRecording = audioMegabytes > 0;
  if (!unit) return isRecording ? "send a shorter prompt or recording" : "send a shorter prompt";
  return unit === "minute" || isRecording ? "send a shorter recording" : smallerOrders[unit];
}

/**
 * 402: the balance does not cover the units, or the prompt and one output token. Only callers who may read the balance
 * see the available amount.
 */
export function balanceTooLow(
  available: Nano,
  required: Nano,
  currency: string,
  request: PricedRequest,
): Refusal {
  const needed = { required: formatAmount(required), currency };
  const balance = { available: formatAmount(available), ...needed };
  const needs = `needs at least ${needed.required} ${currency}`;
  const message = `The balance is too low: this request ${needs}. Have a payment recorded, or ${adviseSmaller(request)}.`;
  return new Refusal(402, "insufficient_balance", "insufficient_balance", message, {
    balance: needed,
    fuller: {
      permission: "api.balance.read",
      projectId: null,
      message: `The balance has ${balance.available} ${currency} available, and this request ${needs}. Record a payment, or ${adviseSmaller(request)}.`,
      balance,
    },
  });
}

/**
 * 402: a spend limit does not cover the prompt and one output token in this month. Only callers who may read spend
 * limits see the limit and the amount spent.
 */
export function spendLimitReached(
  { scope, limit, spent, endMs }: SpendHeadroom,
  required: Nano,
  currency: string,
): Refusal {
  const figures = { project: scope, required: formatAmount(required), currency, resets_at: endMs / 1000 };
  const spendLimit = { ...figures, threshold: formatAmount(limit), spent: formatAmount(spent) };
  const whose = scope === null ? "organization" : "project";
  const needs = `this request needs at least ${figures.required} ${currency}`;
  const remedy = "Have the spend limit raised, or wait for the next month.";
  const message = `What is left of the ${whose}'s spend limit is too little: ${needs}. ${remedy}`;
  return new Refusal(402, "insufficient_balance", "spend_limit", message, {
    spendLimit: figures,
    fuller: {
      permission: "api.spend_limits.read",
      projectId: scope,
      message: `The ${whose} may spend ${spendLimit.threshold} ${currency} a month, of which ${spendLimit.spent} ${currency} are spent or set aside, and ${needs}. ${remedy}`,
      spendLimit,
    },
  });
}
