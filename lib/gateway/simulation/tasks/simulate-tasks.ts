import { setImmediate } from "node:timers/promises";
import { MINUTE_MS } from "@/lib/contract/durations";
import { toNano } from "@/lib/money/amount";
import { examine } from "../../doctor/examine-outputs";
import { ensure } from "../broken-invariant";
import { seededRandom } from "../seeded-random";
import { makeStoreTemplate } from "../simulated-process";
import { simulatedRuntime } from "../simulated-runtime";
import { SimulatedMediaProvider } from "./simulated-media-provider";
import { SimulatedTaskProcess } from "./simulated-task-process";
import { openSimulatedTaskStore, type SimulatedTaskStore } from "./simulated-task-store";

const MAX_STEPS = 150;
const MAX_ROUNDS = 2_000;
const pauses = [300, 2_000, MINUTE_MS, 6 * MINUTE_MS] as const;
/** The longest chain of pending promises takes fewer rounds. */
const ROUNDS_TO_SETTLE = 3;

const template = await makeStoreTemplate();

/**
 * Runs one seed: two processes share the tasks of one store while they are killed and delayed and their provider fails.
 * @param onStep is called with each step. @returns the number of tasks. @throws BrokenInvariant
 */
export async function simulateTasks(
  seed: number,
  onStep: (what: string) => void = () => {},
): Promise<number> {
  await using world = new TaskWorld(seed, onStep);
  world.pay();
  const steps = world.random.between(MAX_STEPS / 5, MAX_STEPS);
  for (let step = 0; step < steps; step++) {
    await world.step();
    await world.settle();
  }
  await world.comeToRest();
  return world.created;
}

class TaskWorld implements AsyncDisposable {
  readonly random;
  created = 0;
  readonly #runtime;
  readonly #store: SimulatedTaskStore;
  readonly #provider: SimulatedMediaProvider;
  readonly #files = new Set<string>();
  readonly #processes: SimulatedTaskProcess[];
  #starts = 0;

  constructor(
    seed: number,
    private readonly onStep: (what: string) => void,
  ) {
    this.random = seededRandom(seed);
    this.#runtime = simulatedRuntime({ seed });
    this.#store = openSimulatedTaskStore(template);
    this.#provider = new SimulatedMediaProvider(this.random, this.random.chance(0.5));
    this.#processes = [this.#start(), this.#start()];
  }

  pay(): void {
    const payment = { id: "txn_p", amount: toNano(10n ** 12n), reference: null, createdAtMs: 0 };
    const [process] = this.#processes;
    void process?.funds.recordPayment(payment, null);
    process?.funds.commit();
    process?.funds.answer();
  }

  async step(): Promise<void> {
    const { random } = this;
    const at = random.between(0, 1);
    const process = this.#processes[at];
    const roll = random.between(0, 99);
    if (!process) throw new RangeError("There are two processes");
    if (roll < 12)
      this.#say(`create ${this.created}`, () => process.create(String(this.created++).padStart(4, "0")));
    else if (roll < 40) this.#say(`process ${at} works`, () => process.work());
    else if (roll < 65) this.#say(`answered: ${this.#answer()}`);
    else if (roll < 75) this.#say("an order ends", () => this.#provider.endOne());
    else if (roll < 85) this.#say(`ledger of process ${at}`, () => this.#write(process));
    else if (roll < 90) await this.#cancelOne();
    else if (roll < 96) this.#say("time passes", () => this.#pass(random.pick(pauses)));
    else this.#say(`process ${at} is killed`, () => this.#crash(at));
  }

  /** Runs all pending promises. */
  async settle(): Promise<void> {
    for (let round = 0; round < ROUNDS_TO_SETTLE; round++) await setImmediate();
    if (this.#provider.fault) throw this.#provider.fault;
  }

  /** Lets the processes work and the provider answer until every task has ended, then checks the results. */
  async comeToRest(): Promise<void> {
    let openCount = await this.#open();
    for (let round = 0; openCount > 0; round++) {
      ensure(round < MAX_ROUNDS, "rest", () => `${openCount} tasks never end`);
      while (this.#provider.questions > 0) this.#answer();
      this.#provider.endOne();
      for (const process of this.#processes) {
        this.#write(process);
        process.work();
      }
      this.#pass(MINUTE_MS);
      await this.settle();
      openCount = await this.#open();
    }
    await this.#check();
  }

  async #check(): Promise<void> {
    const rows = await this.#store.reads
      .selectFrom("tasks as task")
      .leftJoin("ledger_entries as charge", "charge.request_id", "task.request_id")
      .select(["task.id", "task.status", "charge.basis"])
      .execute();
    for (const { id, status, basis } of rows) {
      const madeCount = this.#provider.made.get(id) ?? 0;
      if (status === "succeeded") {
        ensure(
          this.#provider.hasSucceeded(id),
          "made",
          () => `${id} succeeded, and its provider made nothing`,
        );
        ensure(this.#files.has(`${id}/0`), "files", () => `${id} succeeded, and its file is gone`);
      }
      const isOpen = basis === "interrupted" && !this.#provider.submitsOnce;
      ensure(
        madeCount > 0 || basis === null || isOpen,
        "charged",
        () => `${id} is charged, and never was sent`,
      );
    }
    const faults = examine(this.#store.path, this.#runtime.clock.nowMs()).flatMap(
      (finding) => finding.faults,
    );
    ensure(faults.length === 0, "doctor", () => faults.join(" "));
  }

  async #open(): Promise<number> {
    const rows = await this.#store.reads
      .selectFrom("tasks")
      .select("id")
      .where("ended_at_ms", "is", null)
      .execute();
    const isWriting = this.#processes.some(({ funds }) => funds.hasQueue || funds.hasAnswer);
    return rows.length + Number(isWriting);
  }

  async #cancelOne(): Promise<void> {
    const id = `task_${String(this.random.between(0, Math.max(0, this.created - 1))).padStart(4, "0")}`;
    this.onStep(`cancel ${id}`);
    const nowMs = this.#runtime.clock.nowMs();
    await this.#store.write((transaction) => this.#store.tasks.requestCancel(transaction, id, nowMs));
  }

  #answer(): string {
    return this.#provider.questions > 0 ? this.#provider.answerOne() : "nothing";
  }

  #write({ funds }: SimulatedTaskProcess): void {
    if (funds.hasAnswer) funds.answer();
    else if (funds.hasQueue) funds.commit();
  }

  #pass(ms: number): void {
    this.#runtime.pass(ms);
    for (const { funds } of this.#processes) funds.keepLease();
  }

  #crash(at: number): void {
    this.#processes[at]?.crash();
    this.#processes[at] = this.#start();
  }

  #start(): SimulatedTaskProcess {
    const owner = `process ${++this.#starts}`;
    const { clock, random } = this.#runtime;
    const machine = { owner, store: this.#store, provider: this.#provider, files: this.#files };
    return new SimulatedTaskProcess({ ...machine, runtime: { clock, random } });
  }

  #say(what: string, act: () => void = () => {}): void {
    this.onStep(what);
    act();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#store[Symbol.asyncDispose]();
  }
}
