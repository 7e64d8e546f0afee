import { callSteps } from "./call-steps";
import { processSteps } from "./process-steps";
import type { Simulation } from "./simulation";
import type { Step } from "./step";

const steps: readonly Step[] = [...callSteps, ...processSteps];

/** Takes one step. */
export async function takeStep(simulation: Simulation): Promise<void> {
  const possible = steps.filter((step) => step.isPossible(simulation));
  let remainingWeight = simulation.random.between(
    1,
    possible.reduce((sum, { weight }) => sum + weight, 0),
  );
  const chosenStep = possible.find(({ weight }) => (remainingWeight -= weight) <= 0);
  if (!chosenStep) throw new RangeError("No step is possible");
  let what = "";
  try {
    what = await chosenStep.take(simulation);
    await simulation.check();
  } finally {
    simulation.onStep(`${chosenStep.name} ${what}`);
  }
}
