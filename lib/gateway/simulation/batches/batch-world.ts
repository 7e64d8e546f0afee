import { setImmediate } from "node:timers/promises";
import { DAY_MS } from "@/lib/contract/durations";
import { toNano } from "@/lib/money/amount";
import { createBatchStore, NO_PROGRESS } from "../../batches/batch-store.sql";
import { examine } from "../../doctor/examine-outputs";
import { createFileStore } from "../../files/file-store.sql";
import { ensure } from "../broken-invariant";
import { seededRandom } from "../seeded-random";
import { simulatedRuntime } from "../simulated-runtime";
import { openSimulatedTaskStore, type SimulatedTaskStore } from "../tasks/simulated-task-store";
import { BatchOracle, LineOracle, type MadeBatch } from "./batch-oracle";
import { KEY, MODEL_ID, PROJECT } from "./line-calls";
import { type Settings, SimulatedBatchProcess, SimulatedChatProvider } from "./simulated-batch-process";
import { SimulatedDisk } from "./simulated-disk";

/** The share of runs with a single process on the store instead of two. */
const ALONE = 0.3;
/** The longest chain of pending promises takes fewer rounds. */
const ROUNDS_TO_SETTLE = 4;
const MAX_LINES = 90;

/** One or two gateways on one store, with the batches of one project. Each method is one effect. */
export class BatchWorld implements AsyncDisposable {
  readonly random;
  readonly made: MadeBatch[] = [];
  readonly provider: SimulatedChatProvider;
  readonly processes: SimulatedBatchProcess[] = [];
  readonly settings: Settings;
  readonly #runtime;
  readonly #store: SimulatedTaskStore;
  readonly #disk = new SimulatedDisk();
  readonly #calls: LineOracle;
  readonly #oracle: BatchOracle;
  readonly #isAlone: boolean;
  #starts = 0;
  #payments = 0;

  constructor(
    seed: number,
    template: Uint8Array,
    readonly onStep: (what: string) => void,
  ) {
    this.random = seededRandom(seed);
    this.#runtime = simulatedRuntime({ seed });
    this.#store = openSimulatedTaskStore(template);
    this.#calls = new LineOracle(this.#store);
    this.#oracle = new BatchOracle(this.#store, this.#disk, this.#calls);
    this.provider = new SimulatedChatProvider(this.random, this.#runtime.clock.nowMs);
    this.#isAlone = this.random.chance(ALONE);
    const requestsPerMinute = this.random.pick([1_000, 1_000, 30]);
    this.settings = { isKeyActive: true, isModelKnown: true, requestsPerMinute };
  }

  async open(): Promise<void> {
    const count = this.#isAlone ? 1 : 2;
    for (let at = 0; at < count; at++) await this.start(at);
    this.pay(BigInt(this.random.between(0, 2_000)) * 1_000n);
  }

  /** Starts a process in a place whose former one has ended. */
  async start(at: number): Promise<void> {
    const { clock, random } = this.#runtime;
    const process = new SimulatedBatchProcess({
      owner: `process ${++this.#starts}`,
      isAlone: this.#isAlone,
      store: this.#store,
      provider: this.provider,
      disk: this.#disk,
      runtime: { clock, random },
      random: this.random,
      settings: this.settings,
      oracle: this.#calls,
    });
    this.processes[at] = process;
    await process.started;
  }

  pay(amount: bigint): void {
    const process = this.processes.find(({ isRunning }) => isRunning);
    if (!process || amount === 0n) return;
    const id = `txn_p${++this.#payments}`;
    process.funds
      .recordPayment({ id, amount: toNano(amount), reference: null, createdAtMs: 0 }, null)
      .catch(() => {});
  }

  async create(): Promise<void> {
    const name = `b${this.made.length}`;
    const { chance, between } = this.random;
    const count = chance(0.3) ? between(60, MAX_LINES) : between(1, 20);
    const lines = Array.from({ length: count }, (_, index) => `${name}-l${index}`);
    const file = `${lines.map(writeLine).join("\n")}\n`;
    const nowMs = this.#runtime.clock.nowMs();
    const whose = { projectId: PROJECT, keyId: KEY, createdAtMs: nowMs, expiresAtMs: null };
    const bytes = Buffer.byteLength(file);
    const input = { id: `file-in-${name}`, purpose: "batch", filename: "in.jsonl", bytes, ...whose } as const;
    this.#disk.write(input.id, file);
    const files = createFileStore(this.#store.reads);
    await this.#store.write((transaction) => files.complete(transaction, input, nowMs));
    const batch = {
      ...NO_PROGRESS,
      ...whose,
      id: `batch_${name}`,
      endpoint: "/v1/chat/completions",
      model: MODEL_ID,
      metadata: null,
      inputFileId: input.id,
      inputBytes: bytes,
      outputFileId: `file-out-${name}`,
      errorFileId: `file-err-${name}`,
      status: "in_progress",
      total: count,
      countedTokens: count * 10,
      outputExpiresAfterMs: null,
      expiresAtMs: nowMs + DAY_MS,
      cancelRequestedAtMs: null,
      endedAtMs: null,
      pace: null,
    } as const;
    await this.#store.write((transaction) => this.#batches.insert(transaction, batch));
    this.made.push({ id: batch.id, lines, isInputLost: false });
  }

  /** Cancels a batch at one of the processes, which is told at once. */
  async cancel(process: SimulatedBatchProcess): Promise<void> {
    const { id } = this.made[this.random.between(0, this.made.length - 1)] ?? { id: "" };
    const nowMs = this.#runtime.clock.nowMs();
    await this.#store.write((transaction) => this.#batches.requestCancel(transaction, id, nowMs));
    const batch = await this.#batches.find(id);
    if (!batch || batch.endedAtMs !== null) return;
    process.runner.cancel(id);
    if (process.runner.describePace(id) !== null) this.#calls.tell(process, id);
  }

  /** Somebody deletes an input from the disk. */
  loseInput(): void {
    const batch = this.made[this.random.between(0, this.made.length - 1)];
    if (!batch) return;
    batch.isInputLost = true;
    this.#disk.delete(batch.id.replace("batch_", "file-in-"));
  }

  pass(ms: number): void {
    this.#runtime.pass(ms);
    for (const process of this.processes) process.wake();
  }

  /** Waits for all consequences of an effect, then checks what must always hold. @throws BrokenInvariant */
  async settle(): Promise<void> {
    for (let round = 0; round < ROUNDS_TO_SETTLE; round++) await setImmediate();
    if (this.#calls.fault) throw this.#calls.fault;
    this.#oracle.checkProgress();
  }

  /** How many batches, holds and effects have not ended. */
  get unended(): number {
    const { n } = this.#store.ledger
      .query(
        "SELECT (SELECT count(*) FROM batches WHERE ended_at_ms IS NULL) + (SELECT count(*) FROM holds) AS n",
      )
      .get() as { n: bigint };
    const writing = this.processes.filter(({ funds }) => funds.hasQueue || funds.hasAnswer);
    return Number(n) + writing.length;
  }

  /** Checks the world when nothing is open. @throws BrokenInvariant */
  checkEnd(): void {
    this.#oracle.checkResults(this.made);
    const findings = examine(this.#store.path, this.#runtime.clock.nowMs());
    const faults = findings.flatMap((finding) => finding.faults);
    ensure(faults.length === 0, "doctor", () => faults.join(" "));
  }

  get #batches() {
    return createBatchStore(this.#store.reads);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const process of this.processes) process.crash();
    await this.#store[Symbol.asyncDispose]();
  }
}

function writeLine(name: string): string {
  const body = { model: MODEL_ID, max_tokens: 10, messages: [{ role: "user", content: name }] };
  return JSON.stringify({ custom_id: name, method: "POST", url: "/v1/chat/completions", body });
}
