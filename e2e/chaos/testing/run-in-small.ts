import { expect, test } from "bun:test";
import { runScenario, type Scenario } from "../scenario";
import { scenarioGroups } from "../scenarios";

/** Some rows wait for a lease to end, which takes half a minute. */
const SLOWEST_ROW_MS = 180_000;

/** Rows that break PostgreSQL. Their gateways wait for it, so they have a file beside the others of their group. */
const isOfPostgres = ({ name }: Scenario) => name.startsWith("postgres-") || name === "answers-too-early";

/** The scenarios of each test file: those of a group, since files run beside each other. */
export const scenariosByFile: Readonly<Record<string, readonly Scenario[]>> = {
  ...scenarioGroups,
  many: scenarioGroups.many?.filter((scenario) => !isOfPostgres(scenario)) ?? [],
  postgres: scenarioGroups.many?.filter(isOfPostgres) ?? [],
};

/** Runs the scenarios of a file in small, each as a test. */
export function runInSmall(file: string): void {
  const seed = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
  const scenarios = scenariosByFile[file] ?? [];
  test.each(scenarios.filter(({ smoke }) => smoke > 0))(
    "$name: `npm run chaos` in small",
    async (scenario) => {
      const { faults } = await runScenario(scenario, { seed, isSmoke: true });
      expect({ seed, faults }).toEqual({ seed, faults: [] });
    },
    SLOWEST_ROW_MS,
  );
}
