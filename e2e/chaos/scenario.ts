import { type SeededRandom, seededRandom } from "@/lib/gateway/simulation/seeded-random";

/** One row of the fault table. */
export interface Scenario {
  readonly name: string;
  /** What is done, for people; `{size}` stands for how often. */
  readonly does: string;
  readonly full: number;
  readonly smoke: number;
  run(order: ScenarioOrder): Promise<Outcome>;
}

export interface ScenarioOrder {
  readonly size: number;
  readonly random: SeededRandom;
}

export interface Outcome {
  /** What is wrong, in words; none: it passed. */
  readonly faults: readonly string[];
  readonly figures: Readonly<Record<string, number | string>>;
}

/** Runs a row; whatever it throws is a fault. */
export async function runScenario(scenario: Scenario, seed: number, isSmoke: boolean): Promise<Outcome> {
  try {
    const size = isSmoke ? scenario.smoke : scenario.full;
    return await scenario.run({ size, random: seededRandom(seed) });
  } catch (error) {
    return { faults: [error instanceof Error ? (error.stack ?? error.message) : String(error)], figures: {} };
  }
}
