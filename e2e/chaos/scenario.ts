import { type SeededRandom, seededRandom } from "@/lib/gateway/simulation/seeded-random";

/** One way to break the gateway. */
export interface Scenario {
  readonly name: string;
  /** A description for people, in which `{size}` is replaced by the number of repetitions. */
  readonly does: string;
  readonly full: number;
  /** 0 for one that is too slow to be run among the tests. */
  readonly smoke: number;
  run(order: ScenarioOrder): Promise<Outcome>;
}

export interface ScenarioOrder {
  readonly size: number;
  /** Whether this is the short run among the tests, where nothing is expected of how long something takes. */
  readonly isSmoke: boolean;
  readonly random: SeededRandom;
}

export interface Outcome {
  /** Descriptions of what is wrong; the scenario passes if there are none. */
  readonly faults: readonly string[];
  readonly figures: Readonly<Record<string, number | string>>;
}

/** Runs a scenario. An exception is a fault, too. */
export async function runScenario(
  scenario: Scenario,
  { seed, isSmoke }: { seed: number; isSmoke: boolean },
): Promise<Outcome> {
  try {
    const size = isSmoke ? scenario.smoke : scenario.full;
    return await scenario.run({ size, isSmoke, random: seededRandom(seed) });
  } catch (error) {
    return { faults: [error instanceof Error ? (error.stack ?? error.message) : String(error)], figures: {} };
  }
}
