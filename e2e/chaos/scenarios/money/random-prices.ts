import type { SeededRandom } from "@/lib/gateway/simulation/seeded-random";
import { formatAmount, toNano } from "@/lib/money/amount";
import { reconcile } from "../../books/reconcile";
import type { Received } from "../../clients/call-gateway";
import { keepCalling } from "../../clients/keep-calling";
import type { Scenario } from "../../scenario";
import { MAX_OUTPUT_TOKENS, PLAIN_PROVIDER, type StageModel, startFaultStage } from "../../start-stage";

const CONNECTIONS = 48;
const MODELS = 8;
/** Every so many models have two routes. */
const ROUTED = 3;
const SECOND = { ...PLAIN_PROVIDER, id: "second" };
const FAILURES = [429, 500, 503] as const;

/** Prices with up to nine decimals, from free to expensive; half of them with some of classes. */
function randomModel(random: SeededRandom, index: number): StageModel {
  const decimal = (least: number, mostDigits = 12) =>
    formatAmount(toNano(BigInt(random.between(least, 10 ** random.between(1, mostDigits)))));
  const some = (field: string) => random.chance(0.5) && { [field]: decimal(0) };
  const classes = () => ({
    ...some("cached_input_per_1m"),
    ...some("cache_write_5m_per_1m"),
    ...some("cache_write_1h_per_1m"),
  });
  return {
    id: `model-${index}`,
    rate: decimal(1),
    price: {
      input_per_1m: decimal(0),
      output_per_1m: decimal(0),
      ...(index % 2 === 0 && {
        ...classes(),
        priority_rate: decimal(1),
        // Each search costs that, not a million of them: at the highest rates the balance still pays for every call.
        tools: { web_search: decimal(0, 6) },
        long_context_from: random.between(1, 150),
        long_context: { input_per_1m: decimal(0), ...some("output_per_1m"), ...classes() },
      }),
    },
  };
}

/**
 * A call of which some of the prompt is cached, some is written, some of it for an hour, and some of the completion is
 * reasoning. A model with classes may be asked to search, and for priority, which its provider gives or doesn't.
 */
function randomScript(random: SeededRandom, hasClasses: boolean) {
  const promptTokens = random.between(1, 150);
  const cachedTokens = random.chance(0.5) ? random.between(0, promptTokens) : 0;
  const cacheWriteTokens = random.chance(0.5) ? random.between(0, promptTokens - cachedTokens) : 0;
  const isAnthropic = random.chance(0.3);
  const completionTokens = random.between(0, 20);
  const cacheWrite1hTokens = random.chance(0.5) ? random.between(0, cacheWriteTokens) : 0;
  const usage = { promptTokens, cachedTokens, cacheWriteTokens, cacheWrite1hTokens, completionTokens };
  const tiers = ["priority", "default"] as const;
  return {
    ...usage,
    isAnthropic,
    ...(random.chance(0.5) && { reasoningTokens: random.between(0, completionTokens) }),
    ...(hasClasses && random.chance(0.3) && { searches: random.between(1, 3) }),
    ...(hasClasses && random.chance(0.5) && { tier: tiers[random.between(0, 1)] ?? "default" }),
  };
}

/** What the client asks for, so that its call may cost that. */
function askFor({ searches }: { readonly searches?: number }, random: SeededRandom, hasClasses: boolean) {
  return {
    ...(searches !== undefined && { web_search_options: {} }),
    ...(hasClasses && random.chance(0.5) && { service_tier: "priority" }),
  };
}

export const randomPrices: Scenario = {
  name: "random-prices",
  does: "{size} calls of random prices, classes and sizes, streamed and not, some by a second route after a failure",
  full: 20_000,
  smoke: 300,
  async run({ size, random }) {
    const models = Array.from({ length: MODELS }, (_, index) => ({
      ...randomModel(random, index),
      ...(index % ROUTED === 0 && { providers: [PLAIN_PROVIDER.id, SECOND.id] }),
    }));
    const providers = [PLAIN_PROVIDER, SECOND];
    const stage = await startFaultStage({ models, providers, keyCount: CONNECTIONS });
    try {
      const calls: Received[] = await keepCalling(stage, {
        next: (count) => {
          const model = random.between(0, MODELS - 1);
          // Prompts are sometimes longer than the gateway estimates, so that the hold is too small.
          const script = randomScript(random, model % 2 === 0);
          return (
            count < size && {
              model: `model-${model}`,
              isStream: random.chance(0.5),
              maxTokens: random.between(20, MAX_OUTPUT_TOKENS),
              script: {
                ...script,
                ...(model % ROUTED === 0 && random.chance(0.3) && { faults: [random.pick(FAILURES)] }),
              },
              more: askFor(script, random, model % 2 === 0),
            }
          );
        },
      });
      const ledger = stage.ledger();
      const { faults, figures } = reconcile({ calls, invoices: stage.invoices(), ledger, models });
      if (figures.complete !== size)
        faults.push(`${size - figures.complete} calls were not answered in full`);
      const beyond = ledger.entries.filter(({ kind }) => kind === "provider_variance").length;
      return { faults, figures: { ...figures, "beyond the hold": beyond } };
    } finally {
      await stage.stop();
    }
  },
};
