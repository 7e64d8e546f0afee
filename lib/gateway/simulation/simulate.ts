import { MINUTE_MS } from "@/lib/contract/durations";
import { toNano } from "@/lib/money/amount";
import { ensure } from "./broken-invariant";
import { callSteps } from "./call-steps";
import { processSteps } from "./process-steps";
import { makeStoreTemplate } from "./simulated-process";
import { Simulation, type Step } from "./simulation";

const MIN_STEPS = 20;
const MAX_STEPS = 120;
const MAX_ROUNDS = 100;

const template = await makeStoreTemplate();

interface Figures {
  readonly steps: number;
  /** One, or two on the same store. */
  readonly processes: number;
  readonly letThrough: number;
  readonly charged: number;
  readonly interrupted: number;
}

/**
 * Runs a seed, whose steps are always the same: clients call, pay, limit, break, pause and kill one or two gateways,
 * which then have to reach a state without open calls. `onStep` is called with each step.
 * @throws BrokenInvariant
 */
export async function simulate(seed: number, onStep: (what: string) => void = () => {}): Promise<Figures> {
  using simulation = new Simulation(seed, template, onStep);
  for (const gateway of simulation.gateways) await gateway.start();
  const amount = toNano(BigInt(simulation.random.between(0, 40_000)));
  if (amount > 0n) {
    const opening = { key: "opening", amount, madeAtMs: simulation.nowMs, isConfirmed: false };
    simulation.intents.push(opening);
    const [gateway] = simulation.gateways;
    void gateway?.act(() => gateway.pay(opening));
  }
  const steps = simulation.random.between(MIN_STEPS, MAX_STEPS);
  for (let step = 0; step < steps; step++) await takeStep(simulation);
  await comeToRest(simulation);
  const { calls, charges } = simulation.ledger;
  const interrupted = [...charges.values()].filter(({ basis }) => basis === "interrupted");
  return {
    steps,
    processes: simulation.gateways.length,
    letThrough: calls.size,
    charged: charges.size,
    interrupted: interrupted.length,
  };
}

/** Repairs the store, and lets every process run and every provider reply until nothing is open. */
async function comeToRest(simulation: Simulation): Promise<void> {
  simulation.onStep("rest: the store is repaired, and all that is open ends");
  simulation.store.repair();
  for (const gateway of simulation.gateways) {
    gateway.isPaused = false;
    if (!gateway.process) await gateway.start();
  }
  await simulation.check();
  let isBusy = true;
  for (let round = 0; isBusy; round++) {
    ensure(round < MAX_ROUNDS, "rest", () => "it never comes to rest");
    for (const { call, gateway } of simulation.calls) {
      if (call.stage === "asked") void gateway.act(() => call.complete(null));
    }
    for (const gateway of simulation.gateways) {
      const { funds } = gateway.process ?? {};
      if (funds?.hasAnswer) funds.answer();
      else if (funds?.hasQueue) gateway.commit();
    }
    simulation.pass(MINUTE_MS);
    await simulation.check();
    const { heldCalls } = simulation.ledger;
    if (heldCalls > 0) for (const gateway of simulation.gateways) gateway.takeOver();
    const isWriting = simulation.gateways.some(
      ({ process }) => process?.funds.hasAnswer || process?.funds.hasQueue,
    );
    isBusy = isWriting || heldCalls > 0 || simulation.calls.length > 0 || simulation.timers.size > 0;
  }
  simulation.checkRest();
  // A start with nothing to take over changes nothing.
  for (const gateway of simulation.gateways) {
    gateway.crash();
    await gateway.start();
  }
  simulation.checkRest();
}

const steps: readonly Step[] = [...callSteps, ...processSteps];

/** Takes one step. */
async function takeStep(simulation: Simulation): Promise<void> {
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
