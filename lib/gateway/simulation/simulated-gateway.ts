import { AsyncLocalStorage } from "node:async_hooks";
import { newId } from "@/lib/contract/ids";
import { formatAmount, type Nano, toNano } from "@/lib/money/amount";
import { computeMonthStartMs } from "../../contract/calendar-month";
import { BY_SYSTEM } from "../changes/change";
import type { ClockAndRandom } from "../clock";
import { recordCorrection, recordPayment } from "../ledger/payments/payments";
import type { Admission, AdmissionRequest } from "../rate-limits/admissions";
import type { Scope } from "../scope";
import { ensure } from "./broken-invariant";
import type { ExactLog } from "./exact-log";
import { checkSpend } from "./oracles/check-spend";
import type { LedgerOracle } from "./oracles/ledger-oracle";
import { SimulatedCompletion } from "./simulated-completion";
import { SimulatedProcess, type SimulatedStore } from "./simulated-process";

/** A payment that should be recorded once, however often it is sent. */
export interface PaymentIntent {
  readonly key: string;
  readonly amount: Nano;
  readonly madeAtMs: number;
  isConfirmed: boolean;
}

interface World {
  readonly name: string;
  readonly isAlone: boolean;
  /** Whether its admissions answer with promises. */
  readonly isElsewhere: boolean;
  /** The gateway's clock may differ from others', within the bound that leases allow. */
  readonly runtime: ClockAndRandom;
  readonly store: SimulatedStore;
  readonly ledger: LedgerOracle;
  readonly log: ExactLog;
  readonly timers: SimulatedTimers;
  readonly spendLimits: ReadonlyMap<Scope, Nano>;
}

/**
 * A machine that runs one gateway after another. A crash loses the process's memory; the clock belongs to the machine.
 */
export class SimulatedGateway {
  /** Null from a crash until the next successful start. */
  process: SimulatedProcess | null = null;
  /** Whether the process is paused while time passes. */
  isPaused = false;
  /** The calls in progress, oldest first. */
  calls: SimulatedCompletion[] = [];
  #admitted: SimulatedCompletion[] = [];
  readonly #byRequest = new Map<AdmissionRequest, SimulatedCompletion>();
  #starts = 0;

  constructor(private readonly world: World) {}

  get name(): string {
    return this.world.name;
  }

  get isRunning(): boolean {
    return this.process !== null && !this.isPaused;
  }

  get #nowMs(): number {
    return this.world.runtime.clock.nowMs();
  }

  /** Runs `act` with this gateway's timers. */
  act<Result>(act: () => Result): Result {
    return this.world.timers.as(this, act);
  }

  async start(): Promise<boolean> {
    const owner = `${this.name}${++this.#starts}`;
    const { living } = this.world.ledger.leases;
    living.set(owner, () => this.#nowMs);
    const watch = {
      isElsewhere: this.world.isElsewhere,
      admitted: (admission: Admission) => this.#letThrough(admission),
      released: ({ request }: Admission) => this.#byRequest.get(request)?.release(),
    };
    const settings = { ...this.world, watch, owner, isFirst: this.#starts === 1 };
    this.process = await SimulatedProcess.start(settings, () => this.world.ledger.read(owner));
    if (!this.process) living.delete(owner);
    return this.process !== null;
  }

  /** Kills the process: only committed data is left. */
  crash(): void {
    const { ledger, log, timers } = this.world;
    if (!this.process) return;
    ledger.leases.living.delete(this.process.owner);
    log.crashed(
      this.#admitted.map(({ admission }) => admission),
      (admission) => ledger.findCrashed(admission),
    );
    this.process = null;
    this.isPaused = false;
    this.calls = [];
    this.#admitted = [];
    this.#byRequest.clear();
    timers.clear(this);
  }

  /** After time has passed: runs timers, renews the lease, and charges calls that outlived their holds. */
  wake(): void {
    if (!this.process || this.isPaused) return;
    const { process } = this;
    if (process.funds.keepLease()) this.world.ledger.read(process.owner);
    this.world.timers.runDue(this);
    for (const call of this.calls) call.outlive(this.#nowMs);
    this.act(() => process.context.heldCalls.settleOverdue());
  }

  commit(): void {
    if (!this.process) return;
    this.world.ledger.readCommit(this.process.funds.commit(), this.process.owner);
  }

  /** @returns null while no process runs. */
  call(request: AdmissionRequest): SimulatedCompletion | null {
    const { process } = this;
    if (!process || this.isPaused) return null;
    const { ledger, log, runtime } = this.world;
    const requestId = newId("req", this.#nowMs, runtime.random);
    const call = new SimulatedCompletion(process.context, request, requestId, ledger, log);
    this.#byRequest.set(request, call);
    void this.act(() => call.start());
    return call;
  }

  /** Called before anything of the call is stored. */
  #letThrough(admission: Admission): void {
    const { ledger, isAlone, spendLimits } = this.world;
    const call = this.#byRequest.get(admission.request);
    if (!call) throw new TypeError("Nobody has asked for what was let through");
    if (call.admit(admission)) {
      ledger.calls.set(call.requestId, call);
      this.calls.push(call);
      this.#admitted.push(call);
    }
    const month = { calls: this.#admitted, startMs: computeMonthStartMs(this.#nowMs), isAlone };
    checkSpend(admission, { limits: spendLimits, ledger, ...month });
  }

  async pay(intent: PaymentIntent): Promise<void> {
    const { process } = this;
    if (!process) return;
    const { ledger, runtime } = this.world;
    try {
      const draft = { amount: formatAmount(intent.amount), reference: intent.key };
      const parts = { funds: process.funds, runtime };
      const event = { ...BY_SYSTEM, type: "payment.created", atMs: runtime.clock.nowMs() };
      const creation = { key: intent.key, scope: "key_admin", event };
      const recorded = await recordPayment(parts, draft, creation);
      intent.isConfirmed = true;
      if ("entryId" in recorded) ledger.mustHavePayment(recorded.entryId);
    } catch (error) {
      ledger.mustBeRefusal(error);
    }
  }

  /** Corrects an entry by any amount. The ledger decides which amounts are too large. */
  async correct(corrects: string, amount: Nano | null): Promise<void> {
    const { process } = this;
    if (!process) return;
    const { ledger, runtime } = this.world;
    try {
      const draft = { reason: "simulated", ...(amount !== null && { amount: formatAmount(amount) }) };
      const event = { ...BY_SYSTEM, type: "correction.created", atMs: runtime.clock.nowMs() };
      const parts = { funds: process.funds, runtime, currency: "USD" };
      const creation = { key: null, scope: "key_admin", event };
      const recorded = await recordCorrection(parts, corrects, draft, creation);
      if ("entryId" in recorded) ledger.mustHaveCorrection(recorded.entryId);
    } catch (error) {
      ledger.mustBeCorrectionRefusal(error);
    }
  }

  /** Requests a hold that exceeds the balance, as a process with outdated figures would. */
  overdraw(request: AdmissionRequest, paidAmount: bigint): void {
    const requestId = newId("req", this.#nowMs, this.world.runtime.random);
    const { projectId, keyId, model, price, promptTokens } = request;
    const [createdAtMs, deadlineAtMs] = [this.#nowMs, this.#nowMs + 1];
    const whose = { requestId, projectId, keyId, model, price, promptTokens, maxCompletionTokens: 1 };
    const id = `hold_${requestId.slice(4)}`;
    void this.process?.funds
      .placeHold({ ...whose, id, amount: toNano(paidAmount + 1n), createdAtMs, deadlineAtMs })
      .then((outcome) => ensure(outcome !== "placed", "I2", () => "more was held than was ever paid"))
      .catch(this.world.ledger.mustBeRefusal);
  }

  /** Takes over the holds of processes whose lease has expired. */
  takeOver(): void {
    this.process?.funds.takeOver("expired", this.#nowMs).catch(this.world.ledger.mustBeRefusal);
  }

  forgetOver(): void {
    this.calls = this.calls.filter(({ stage }) => stage !== "over");
  }
}

interface Timer {
  readonly dueMs: number;
  readonly owner: object;
  run(): void;
}

/**
 * Replaces the global `setTimeout` with one on the simulation's clock until disposed. Each timer belongs to a process;
 * what else runs beside the simulation, such as the end of another test, keeps the real one.
 */
export class SimulatedTimers {
  readonly #real = globalThis.setTimeout;
  readonly #acting = new AsyncLocalStorage<object>();
  #timers: Timer[] = [];

  constructor(private readonly nowMs: () => number) {
    const setTimer = (run: () => void, afterMs = 0) => {
      const owner = this.#acting.getStore();
      if (!owner) return this.#real(run, afterMs);
      this.#timers.push({ dueMs: this.nowMs() + afterMs, owner, run });
      return { unref() {}, ref() {} };
    };
    globalThis.setTimeout = setTimer as unknown as typeof setTimeout;
  }

  get size(): number {
    return this.#timers.length;
  }

  /** Assigns timers that `act` and its continuations start to a process. */
  as<Result>(process: object, act: () => Result): Result {
    return this.#acting.run(process, act);
  }

  runDue(process: object): void {
    const isDue = ({ dueMs, owner }: Timer) => owner === process && dueMs <= this.nowMs();
    const dueTimers = this.#timers.filter(isDue);
    this.#timers = this.#timers.filter((timer) => !isDue(timer));
    for (const { run } of dueTimers) this.as(process, run);
  }

  /** Drops the timers of a process that has died. */
  clear(process: object): void {
    this.#timers = this.#timers.filter(({ owner }) => owner !== process);
  }

  [Symbol.dispose](): void {
    globalThis.setTimeout = this.#real;
  }
}
