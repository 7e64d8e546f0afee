import { callSteps } from "./call-steps";
import { processSteps } from "./process-steps";
import type { Simulation } from "./simulation";
import type { Step } from "./step";

const steps: readonly Step[] = [...callSteps, ...processSteps];

/** Takes one step. */
export async function takeStep(simulation: Simulation): Promise<void> {
  const possible = steps.filter((step) => step.isPossible(simulation));
  let left = simulation.random.between(
    1,
    possible.reduce((sum, { weight }) => sum + weight, 0),
  );
  const chosen = possible.find(({ weight }) => (left -= weight) <= 0);
  if (!chosen) throw new RangeError("No step is possible");
  let what = "";
  try {
    what = await chosen.take(simulation);
    await simulation.check();
  } finally {
    simulation.trace(`${chosen.name} ${what}`);
  }
}
