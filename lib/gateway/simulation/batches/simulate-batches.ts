import { MINUTE_MS } from "@/lib/contract/durations";
import { ensure } from "../broken-invariant";
import { makeStoreTemplate } from "../simulated-process";
import { BatchWorld } from "./batch-world";
import type { SimulatedBatchProcess } from "./simulated-batch-process";

const MAX_STEPS = 600;
const MAX_ROUNDS = 4_000;
const pauses = [20, 300, 1_000, 5_000, MINUTE_MS, 6 * MINUTE_MS] as const;
/** No batch may take this long. */
const LONG_MS = 25 * 60 * MINUTE_MS;
const ROUND_MS = 5_000;
/** Rounds in which a claim ends and lines are answered afterwards. */
const ROUNDS_TO_TAKE_OVER = 80;
const TRIES_TO_BEGIN = 20;
const PLENTY = 10n ** 12n;

const template = await makeStoreTemplate();

/**
 * Runs one seed: one or two processes answer the batches of one store while they are killed, paused and stopped,
 * batches are canceled, money runs out, and their provider fails.
 * @param onStep is called with each step. @returns the number of lines. @throws BrokenInvariant
 */
export async function simulateBatches(
  seed: number,
  onStep: (what: string) => void = () => {},
): Promise<number> {
  await using world = new BatchWorld(seed, template, onStep);
  await world.open();
  await world.create();
  const steps = world.random.between(MAX_STEPS / 10, MAX_STEPS);
  for (let step = 0; step < steps; step++) {
    await takeStep(world);
    await world.settle();
  }
  await comeToRest(world);
  return world.made.reduce((sum, { lines }) => sum + lines.length, 0);
}

type Step = readonly [weight: number, take: (world: BatchWorld, at: number) => Promise<string> | string];

/** One effect each, drawn in proportion to its weight. */
const steps: readonly Step[] = [
  [250, (world, at) => runEffect(world, running(world, at))],
  [200, (world, at) => describeLedger(running(world, at))],
  [200, (world) => `answered ${world.provider.answerOne()}`],
  [60, (world, at) => (void running(world, at)?.runner.work(), `process ${at} looks for batches`)],
  [80, (world) => pass(world, world.random.pick(pauses))],
  [6, async (world) => (world.made.length < 4 && (await world.create()), "a batch is created")],
  [4, (world) => (world.pay(BigInt(world.random.between(1, 500)) * 1_000n), "a payment")],
  [8, cancel],
  [8, crash],
  [6, pause],
  [2, (world, at) => (running(world, at)?.close(), `process ${at} begins to stop`)],
  [6, (world, at) => (running(world, at)?.takeOver(), `process ${at} takes over expired holds`)],
  [0.5, (world) => ((world.settings.isKeyActive = !world.settings.isKeyActive), "the key is changed")],
  [0.5, (world) => ((world.settings.isModelKnown = !world.settings.isModelKnown), "the model is changed")],
  [0.3, (world) => (world.loseInput(), "an input is deleted from the disk")],
  [0.3, (world) => pass(world, LONG_MS)],
];
const weights = steps.reduce((sum, [weight]) => sum + weight, 0);

async function takeStep(world: BatchWorld): Promise<void> {
  let remainingWeight = (world.random.between(0, 999_999) / 1_000_000) * weights;
  const at = world.random.between(0, world.processes.length - 1);
  const step = steps.find(([weight]) => (remainingWeight -= weight) < 0) ?? steps[0];
  if (step) world.onStep(await step[1](world, at));
}

function running(world: BatchWorld, at: number): SimulatedBatchProcess | undefined {
  const process = world.processes[at];
  return process?.isRunning ? process : undefined;
}

async function runEffect(world: BatchWorld, process: SimulatedBatchProcess | undefined): Promise<string> {
  if (!process || process.effects.size === 0) return "nothing";
  return process.effects.step(world.random);
}

function describeLedger(process: SimulatedBatchProcess | undefined): string {
  process?.write();
  return "ledger";
}

function pass(world: BatchWorld, ms: number): string {
  world.pass(ms);
  return `${ms} ms pass`;
}

async function cancel(world: BatchWorld, at: number): Promise<string> {
  const process = running(world, at);
  if (process) await world.cancel(process);
  return `a cancellation at process ${at}`;
}

async function crash(world: BatchWorld, at: number): Promise<string> {
  world.processes[at]?.crash();
  await world.start(at);
  return `process ${at} is killed`;
}

function pause(world: BatchWorld, at: number): string {
  const process = world.processes[at];
  if (process) process.isPaused = !process.isPaused;
  return `process ${at} ${process?.isPaused ? "is paused" : "goes on"}`;
}

/** Lets the processes work and the provider answer until every batch has ended, then checks the results. */
async function comeToRest(world: BatchWorld): Promise<void> {
  world.onStep("rest: what is open ends");
  world.provider.faults = 0;
  for (const [at, { isClosing }] of world.processes.entries()) if (isClosing) await crash(world, at);
  world.pay(PLENTY);
  const goesOnAt = await pauseLonger(world);
  for (let round = 0; world.unended > 0 || round <= goesOnAt; round++) {
    ensure(round < MAX_ROUNDS, "rest", () => `${world.unended} batches, holds or writes never end`);
    if (round === goesOnAt) {
      goOn(world);
      // The first payment is lost if its process was paused, and taken over, before it was written.
      world.pay(PLENTY);
    }
    while (world.provider.answerable > 0) world.provider.answerOne();
    for (const process of world.processes.filter(({ isRunning }) => isRunning)) {
      // Both in one round: a hold whose answer comes late is refused.
      process.write();
      if (process.funds.hasAnswer) process.write();
      for (let left = process.effects.size; left > 0; left--) await process.effects.step(world.random);
      if (round % 10 === 0) process.takeOver();
      void process.runner.work();
    }
    world.pass(ROUND_MS);
    await world.settle();
  }
  world.checkEnd();
}

/** Lets a process do all but write to the ledger, so that its lines wait there. */
async function letBegin(world: BatchWorld, process: SimulatedBatchProcess): Promise<void> {
  void process.runner.work();
  if (process.funds.hasAnswer) process.write();
  for (let left = process.effects.size; left > 0; left--) await process.effects.step(world.random);
  world.pass(20);
  await world.settle();
}

function goOn({ processes }: BatchWorld): void {
  for (const process of processes.filter(({ isPaused }) => isPaused)) {
    process.isPaused = false;
    process.wake();
  }
}

/**
 * Often one of two processes is paused with what it has queued, until the other one has taken its batches over, and
 * ended them unless they are canceled before. @returns the round in which paused processes go on.
 */
async function pauseLonger(world: BatchWorld): Promise<number> {
  const [first, second] = world.processes;
  if (!first || !second || world.random.chance(0.3)) return 0;
  const [paused, other] = first.isPaused ? [first, second] : [second, first];
  paused.isPaused = other.isPaused = false;
  for (let tries = 0; tries < TRIES_TO_BEGIN && !paused.funds.hasQueue; tries++) {
    await letBegin(world, paused);
  }
  paused.isPaused = true;
  for (let times = world.random.between(0, 2); times > 0; times--) await world.cancel(other);
  return world.random.between(ROUNDS_TO_TAKE_OVER, 2 * ROUNDS_TO_TAKE_OVER);
}
