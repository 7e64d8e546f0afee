import { toNano } from "@/lib/money/amount";
import { must } from "./broken-invariant";
import { makeStoreTemplate } from "./simulated-store";
import { Simulation } from "./simulation";
import { takeStep } from "./steps";

const LEAST_STEPS = 20;
const MOST_STEPS = 120;
const MINUTE_MS = 60_000;
const MOST_ROUNDS = 100;

const template = await makeStoreTemplate();

export interface Figures {
  readonly letThrough: number;
  readonly charged: number;
  readonly interrupted: number;
}

/**
 * Runs one seed: a gateway that is called, paid, limited, broken and killed, then left to come to rest.
 * @param trace is told each step. The same seed takes the same steps.
 * @returns what there was to check. @throws BrokenInvariant
 */
export async function simulate(seed: number, trace: (what: string) => void = () => {}): Promise<Figures> {
  using simulation = new Simulation(seed, template, trace);
  await simulation.start();
  const amount = toNano(BigInt(simulation.random.between(0, 40_000)));
  if (amount > 0n) {
    const opening = { key: "opening", amount, madeAtMs: simulation.nowMs, isConfirmed: false };
    simulation.intents.push(opening);
    void simulation.pay(opening);
  }
  const steps = simulation.random.between(LEAST_STEPS, MOST_STEPS);
  for (let step = 0; step < steps; step++) await takeStep(simulation);
  await comeToRest(simulation);
  const { calls, charges } = simulation.ledger;
  const interrupted = [...charges.values()].filter(({ basis }) => basis === "interrupted");
  return { letThrough: calls.size, charged: charges.size, interrupted: interrupted.length };
}

/** The store is repaired, providers reply, and everybody gets an answer. */
async function comeToRest(simulation: Simulation): Promise<void> {
  simulation.trace("rest: the store is repaired, and all that is open ends");
  simulation.store.repair();
  if (!simulation.process) await simulation.start();
  await simulation.check();
  let isBusy = true;
  for (let round = 0; isBusy; round++) {
    must(round < MOST_ROUNDS, "rest", () => "it never comes to rest");
    for (const call of simulation.calls) if (call.stage === "asked") void call.complete(null);
    const { funds } = simulation.process ?? {};
    if (funds?.hasAnswer) funds.answer();
    else if (funds?.hasQueue) simulation.commit();
    simulation.pass(MINUTE_MS);
    await simulation.check();
    isBusy = funds?.hasAnswer || funds?.hasQueue || simulation.calls.length > 0 || simulation.timers.size > 0;
  }
  simulation.checkRest();
  // A start with nothing to reap changes nothing.
  simulation.crash();
  await simulation.start();
  simulation.checkRest();
}
