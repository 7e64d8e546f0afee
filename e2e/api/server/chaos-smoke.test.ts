import { expect, test } from "bun:test";
import { runScenario } from "../../chaos/scenario";
import { scenarios } from "../../chaos/scenarios";

const seed = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;

/** Some rows wait for a lease to end, which takes half a minute. */
const SLOWEST_ROW_MS = 180_000;

test.each(scenarios.filter(({ smoke }) => smoke > 0))(
  "$name: `npm run chaos` in small",
  async (scenario) => {
    const { faults } = await runScenario(scenario, { seed, isSmoke: true });
    expect({ seed, faults }).toEqual({ seed, faults: [] });
  },
  SLOWEST_ROW_MS,
);
