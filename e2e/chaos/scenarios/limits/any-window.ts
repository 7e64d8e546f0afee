import { DAY_MS, MINUTE_MS } from "@/lib/contract/durations";
import type { Scenario } from "../../scenario";
import { type ChatField, chatFields, serveLimitGateway, type Verdict } from "../../serve-limit-gateway";

const windowMs: Record<ChatField, number> = {
  max_requests_per_1_minute: MINUTE_MS,
  max_tokens_per_1_minute: MINUTE_MS,
  max_requests_per_1_day: DAY_MS,
};
const limits: Record<ChatField, number> = {
  max_requests_per_1_minute: 20,
  max_tokens_per_1_minute: 120,
  max_requests_per_1_day: 1_000,
};
/** A slot lasts half a second, and a restart rounds times to a second. */
const LATE_MS = 1_500;

export const anyWindow: Scenario = {
  name: "any-window",
  does: "{size} calls in bursts and pauses, with restarts; every window slid over what was admitted",
  full: 20_000,
  smoke: 600,
  async run({ size, random }) {
    const gateway = await serveLimitGateway();
    try {
      await gateway.limit(limits);
      const verdicts: Verdict[] = [];
      let restarts = 0;
      while (verdicts.length < size) {
        gateway.pass(
          random.pick([0, 1, 499, 500, 501, MINUTE_MS - 500, MINUTE_MS - 1, random.between(0, MINUTE_MS)]),
        );
        if (random.chance(0.02)) gateway.pass(random.between(0, DAY_MS / 4));
        if (random.chance(0.1)) restarts += await gateway.restart().then(() => 1);
        const burst = Array.from({ length: random.between(1, 12) }, () => random.between(1, 6));
        const calls = burst.map((words) => gateway.call(words, words + random.between(0, 4)));
        verdicts.push(...(await Promise.all(calls)));
      }
      const admitted = verdicts.filter(({ isAdmitted }) => isAdmitted);
      const figures: Record<string, number> = { calls: verdicts.length, admitted: admitted.length, restarts };
      const faults: string[] = [];
      for (const field of chatFields) {
        const most = fullestWindow(admitted, field);
        figures[`most ${field}`] = most;
        if (most > limits[field]) faults.push(`${field}: ${most} in one window, at most ${limits[field]}`);
      }
      for (const field of ["max_requests_per_1_minute", "max_requests_per_1_day"] as const) {
        const late = maxLateness(verdicts, admitted, field);
        figures[`${field} freed late by ms`] = late;
        if (field === "max_requests_per_1_minute" && late > LATE_MS)
          faults.push(`${field}: refused ${late} ms after there was room`);
      }
      return { faults, figures };
    } finally {
      await gateway.close();
    }
  },
};

const countUnits = ({ tokens }: Verdict, field: ChatField) =>
  field === "max_tokens_per_1_minute" ? tokens : 1;

/** The most units in any window, found by sliding a window over the admitted calls. */
function fullestWindow(admitted: readonly Verdict[], field: ChatField): number {
  let first = 0;
  let used = 0;
  let most = 0;
  for (const verdict of admitted) {
    used += countUnits(verdict, field);
    for (let oldest = admitted[first]; oldest; oldest = admitted[++first]) {
      if (oldest.atMs > verdict.atMs - windowMs[field]) break;
      used -= countUnits(oldest, field);
    }
    most = Math.max(most, used);
  }
  return most;
}

/**
 * The longest time by which a refusal came too late, compared with an exact log. Infinity if a call was refused for no
 * reason.
 */
function maxLateness(verdicts: readonly Verdict[], admitted: readonly Verdict[], field: ChatField): number {
  let most = 0;
  let before = 0;
  for (const { atMs, code } of verdicts) {
    while ((admitted[before]?.atMs ?? Number.POSITIVE_INFINITY) <= atMs) before++;
    if (code !== field) continue;
    // The admitted call that had to leave the window before one more could fit.
    const binding = admitted[before - limits[field]];
    most = Math.max(most, binding ? atMs - binding.atMs - windowMs[field] : Number.POSITIVE_INFINITY);
  }
  return most;
}
