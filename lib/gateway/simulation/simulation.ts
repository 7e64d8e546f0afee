import { newId } from "@/lib/contract/ids";
import { DAY_MS, type RateLimitValues } from "@/lib/contract/rate-limit-table";
import { formatAmount, type Nano, toNano } from "@/lib/money/amount";
import type { AdmissionRequest } from "../admission/admission";
import { monthStartMs } from "../balance/calendar-month";
import { recordPayment } from "../balance/record-payment";
import type { SpendScope } from "../balance/spend-book";
import { Refusal } from "../ports/refusal";
import { must } from "./broken-invariant";
import { checkSpend } from "./check-spend";
import { LedgerOracle } from "./ledger-oracle";
import { PerfectLog } from "./perfect-log";
import { type SeededRandom, seededRandom } from "./seeded-random";
import { SimulatedCall } from "./simulated-call";
import { simulatedEffects } from "./simulated-effects";
import { SimulatedProcess } from "./simulated-process";
import { SimulatedStore } from "./simulated-store";
import { SimulatedTimers } from "./simulated-timers";

/** A payment somebody means to make once, however often it takes to ask. */
export interface PaymentIntent {
  readonly key: string;
  readonly amount: Nano;
  readonly madeAtMs: number;
  isConfirmed: boolean;
}

/**
 * A gateway, its store, its clients and its provider, in one thread on one clock. Each method is one effect; after it, what
 * follows of itself has happened, and `check` holds all of it to the invariants.
 */
export class Simulation implements Disposable {
  readonly random: SeededRandom;
  readonly store: SimulatedStore;
  readonly ledger: LedgerOracle;
  readonly log = new PerfectLog();
  readonly limits = new Map<string, RateLimitValues>();
  readonly spendLimits = new Map<SpendScope, Nano>();
  readonly intents: PaymentIntent[] = [];
  readonly timers: SimulatedTimers;
  /** Null from a crash until the next start that succeeds. */
  process: SimulatedProcess | null = null;
  /** What is not over yet, oldest first. */
  calls: SimulatedCall[] = [];
  readonly #effects;
  #admitted: SimulatedCall[] = [];
  #starts = 0;

  constructor(
    seed: number,
    template: Uint8Array,
    readonly trace: (what: string) => void,
  ) {
    this.random = seededRandom(seed);
    // Within a day of a month's end.
    const nowMs = Date.UTC(2027, 1) - this.random.between(0, DAY_MS);
    this.#effects = simulatedEffects({ seed, nowMs });
    this.store = new SimulatedStore(template);
    this.ledger = new LedgerOracle(this.store);
    this.timers = new SimulatedTimers(() => this.#effects.clock.nowMs());
  }

  get nowMs(): number {
    return this.#effects.clock.nowMs();
  }

  async start(): Promise<void> {
    try {
      const { store, log } = this;
      const isFirst = this.#starts === 0;
      const settings = { effects: this.#effects, store, log, isFirst, spendLimits: this.spendLimits };
      this.process = await SimulatedProcess.start(settings, (posted) => this.#readReaped(posted));
      this.#starts++;
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith("An orphaned hold"))) throw error;
      this.trace("the store refuses, so it does not start");
    }
  }

  /** Nothing of the process is left but what was committed. */
  crash(): void {
    this.process = null;
    this.calls = [];
    this.#admitted = [];
    this.timers.clear();
  }

  pass(ms: number): void {
    this.#effects.pass(ms);
    this.timers.runDue();
    for (const call of this.calls) call.outlive(this.nowMs);
    this.process?.context.openCalls.settleOverdue(this.nowMs);
  }

  commit(): void {
    const committed = this.process?.funds.commit();
    if (committed) this.ledger.readCommit(committed);
  }

  /** @returns the call, or what refused it. */
  call(request: AdmissionRequest): SimulatedCall | string {
    const { process, ledger, log } = this;
    if (!process) return "nobody";
    const requestId = newId("req", this.nowMs, this.#effects.random);
    try {
      const admission = process.context.admissions.admit(request);
      const call = new SimulatedCall(process.context, admission, requestId, ledger, log);
      ledger.calls.set(requestId, call);
      this.calls.push(call);
      this.#admitted.push(call);
      const startMs = monthStartMs(this.nowMs);
      checkSpend(admission, { limits: this.spendLimits, ledger, calls: this.#admitted, startMs });
      void call.start();
      return call;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { projectId, keyId, model } = request;
      const known = { requestId, projectId, keyId, model, stream: false, estimatedTokens: 1 };
      process.funds.logRefusal({ ...known, atMs: this.nowMs, status: error.status, refusedBy: error.code });
      return error.code;
    }
  }

  /** From now on, across starts; null removes it. */
  limitSpend(scope: SpendScope, limit: Nano | null): void {
    if (limit === null) this.spendLimits.delete(scope);
    else this.spendLimits.set(scope, limit);
    this.process?.spend.put(scope, limit);
  }

  async pay(intent: PaymentIntent): Promise<void> {
    const { process } = this;
    if (!process) return;
    const parts = { funds: process.funds, balance: process.balance, effects: this.#effects };
    try {
      const draft = { amount: formatAmount(intent.amount), reference: intent.key };
      const { id } = await recordPayment(parts, draft, { key: intent.key, scope: "key_admin" });
      intent.isConfirmed = true;
      this.ledger.mustHavePayment(id);
    } catch (error) {
      this.ledger.mustBeRefusal(error);
    }
  }

  /** Somebody with a stale view of the balance asks for more than was ever paid. */
  overdraw(request: AdmissionRequest): void {
    const requestId = newId("req", this.nowMs, this.#effects.random);
    const paid = this.intents.reduce((sum, { amount }) => sum + amount, 0n);
    const { projectId, keyId, model, price, promptTokens } = request;
    const [createdAtMs, deadlineAtMs] = [this.nowMs, this.nowMs + 1];
    const whose = { requestId, projectId, keyId, model, price, promptTokens, maxCompletionTokens: 1 };
    const id = `hold_${requestId.slice(4)}`;
    void this.process?.funds
      .placeHold({ ...whose, id, amount: toNano(paid + 1n), createdAtMs, deadlineAtMs })
      .then((isPlaced) => must(!isPlaced, "I2", () => "more was held than was ever paid"))
      .catch(this.ledger.mustBeRefusal);
  }

  /** Lets everything happen that follows of itself, then looks at what has become. @throws BrokenInvariant */
  async check(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.calls = this.calls.filter(({ stage }) => stage !== "over");
    if (this.ledger.fault) throw this.ledger.fault;
    if (!this.process) return;
    const { available, held } = this.process.balance;
    must(held >= 0n && available >= 0n, "I2", () => `memory has ${available} available and ${held} held`);
    const stored = this.ledger.available;
    must(available <= stored, "I2", () => `memory has ${available} available, the store ${stored}`);
  }

  /** Everything is over: memory says what the store says, and whatever a provider invoices is charged. */
  checkRest(): void {
    this.ledger.checkHistory();
    if (!this.process) return;
    const { posted, held } = this.process.balance;
    must(this.ledger.openHolds === 0, "I9", () => `${this.ledger.openHolds} holds are still open`);
    must(posted === this.ledger.posted, "I7", () => `memory has ${posted}, the store ${this.ledger.posted}`);
    must(held === 0n, "I7", () => `memory still holds ${held}`);
    const { total } = this.process.context.admissions.inFlight;
    must(total === 0, "in flight", () => `${total} calls are counted as in flight`);
    for (const { invoice, isComplete, requestId } of this.ledger.calls.values()) {
      const isCharged = this.ledger.charges.has(requestId);
      must(isCharged || invoice === null, "charged", () => `${requestId} is invoiced and not charged`);
      must(isCharged || !isComplete, "charged", () => `${requestId} is complete and not charged`);
    }
  }

  [Symbol.dispose](): void {
    this.timers[Symbol.dispose]();
    this.store[Symbol.dispose]();
  }

  #readReaped(posted: Nano): void {
    this.ledger.read({ isReaped: true });
    must(this.ledger.openHolds === 0, "I9", () => "a hold of the dead process is open after the start");
    must(posted === this.ledger.posted, "I7", () => "the start read another balance than is stored");
    this.log.settleCrashed((admission) => this.ledger.findCrashed(admission));
  }
}
