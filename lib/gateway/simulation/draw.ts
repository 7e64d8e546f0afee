import { builtInRateLimits, type RateLimitValues } from "@/lib/contract/calls/rate-limit-table";
import { toNano } from "@/lib/money/amount";
import type { PriceClasses } from "@/lib/money/charge";
import type { AdmissionRequest } from "../rate-limits/admissions";
import type { SeededRandom } from "./seeded-random";
import type { SimulatedCompletion } from "./simulated-completion";
import type { Simulation } from "./simulation";

/** About one nano-unit per token, so that a balance of some thousands runs out; with 0 and odd prices in between. */
const prices = [0n, 1_000_000n, 1_234_567n, 7_654_321_987n] as const;
const rates = [1_000_000_000n, 500_000_000n, 1_370_000_001n] as const;

/** A request of one of two projects to one of two models, with the present limits. */
export function drawRequest({ random, limits }: Pick<Simulation, "random" | "limits">): AdmissionRequest {
  const projectId = random.pick(["proj_a", "proj_b"]);
  const model = random.pick(["small", "large"]);
  const pair = `${projectId} ${model}`;
  let pairLimits = limits.get(pair);
  if (!pairLimits) limits.set(pair, (pairLimits = drawLimits(random)));
  const maxOutputTokens = random.between(1, 200);
  return {
    projectId,
    keyId: projectId,
    model,
    limits: pairLimits,
    price: {
      inputPer1m: toNano(random.pick(prices)),
      outputPer1m: toNano(random.pick(prices)),
      rate: toNano(random.pick(rates)),
      ...(random.chance(0.5) && { classes: drawClasses(random) }),
    },
    ...(random.chance(0.5) && { cacheWrite: random.pick(["5m", "1h"] as const) }),
    promptTokens: random.between(1, 100),
    // So large that what is reported beyond it finds each finite limit closed for longer than its window.
    contextTokens: 100_000,
    maxOutputTokens,
    expectedOutputTokens: random.chance(0.5) ? maxOutputTokens : random.between(1, maxOutputTokens),
    choices: random.between(1, 3),
  };
}

/** Prices of some classes, cheaper or dearer than input, also for prompts of a length that some have. */
function drawClasses(random: SeededRandom): PriceClasses {
  const draw = () => (random.chance(0.5) ? toNano(random.pick(prices)) : undefined);
  const inputs = () => ({ cachedInputPer1m: draw(), cacheWrite5mPer1m: draw(), cacheWrite1hPer1m: draw() });
  const longContext = { from: random.between(1, 100), inputPer1m: draw(), outputPer1m: draw(), ...inputs() };
  return { ...inputs(), ...(random.chance(0.5) && { longContext }) };
}

export function drawLimits(random: SeededRandom): RateLimitValues {
  return {
    ...builtInRateLimits,
    max_requests_per_1_minute: random.pick([0, 2, 5, 1_000]),
    max_tokens_per_1_minute: random.pick([400, 2_000, 10_000_000_000]),
    max_requests_per_1_day: random.pick([null, 4, 12]),
  };
}

/** The usage that a provider reports: mostly the true one, sometimes none, an invalid one, or far too much. */
export function drawUsage(
  random: SeededRandom,
  { admission, maxTokens, invoice }: SimulatedCompletion,
): unknown {
  const prompt_tokens = admission.request.promptTokens;
  const completion_tokens = invoice?.completionTokens ?? random.between(0, maxTokens);
  const cached_tokens = random.between(0, prompt_tokens);
  const written = admission.request.cacheWrite ? random.between(0, prompt_tokens - cached_tokens) : 0;
  const for1h = admission.request.cacheWrite === "1h" ? random.between(0, written) : 0;
  const cache_creation = { ephemeral_5m_input_tokens: written - for1h, ephemeral_1h_input_tokens: for1h };
  const reportedUsage = random.chance(0.5)
    ? { prompt_tokens, completion_tokens }
    : { prompt_tokens, completion_tokens, prompt_tokens_details: { cached_tokens }, cache_creation };
  return random.pick<unknown>([
    reportedUsage,
    reportedUsage,
    reportedUsage,
    { prompt_tokens: 0, completion_tokens: 0 },
    { prompt_tokens, completion_tokens: 10 * maxTokens },
    { prompt_tokens: 1_000_000_000, completion_tokens: 1_000_000_000 },
    { prompt_tokens, completion_tokens: -1 },
    { prompt_tokens, completion_tokens: 1.5 },
    { prompt_tokens, completion_tokens: String(completion_tokens) },
    {},
    null,
  ]);
}

/** @throws RangeError for an empty list. */
export function pickFrom<Item>(random: SeededRandom, items: readonly Item[]): Item {
  const item = items[random.between(0, items.length - 1)];
  if (item === undefined) throw new RangeError("There is nothing to pick from");
  return item;
}
