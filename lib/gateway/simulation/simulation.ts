import type { RateLimitValues } from "@/lib/contract/calls/rate-limit-table";
import { DAY_MS } from "@/lib/contract/durations";
import type { Nano } from "@/lib/money/amount";
import { CLOCK_DRIFT_MS } from "../ledger/writer/ledger-batch.sql";
import type { AdmissionRequest } from "../rate-limits/admissions";
import type { Scope } from "../scope";
import { ensure } from "./broken-invariant";
import { ExactLog } from "./exact-log";
import { LedgerOracle } from "./oracles/ledger-oracle";
import { type SeededRandom, seededRandom } from "./seeded-random";
import type { SimulatedCompletion } from "./simulated-completion";
import { type PaymentIntent, SimulatedGateway, SimulatedTimers } from "./simulated-gateway";
import { SimulatedStore } from "./simulated-process";
import { simulatedRuntime } from "./simulated-runtime";

/** One effect, drawn among the possible ones in proportion to its weight. */
export interface Step {
  readonly name: string;
  readonly weight: number;
  isPossible(simulation: Simulation): boolean;
  /** @returns what it did, for the log. */
  take(simulation: Simulation): string | Promise<string>;
}

/** The share of runs with a single process on the store instead of two. */
const ALONE = 0.4;
/** The share of runs whose admissions answer asynchronously. */
const ELSEWHERE = 0.3;

/**
 * One or two gateways on one store, with their clients and provider, in one thread. Each method is one effect. `check`
 * waits for its consequences and checks the invariants.
 */
export class Simulation implements Disposable {
  readonly random: SeededRandom;
  readonly store: SimulatedStore;
  readonly ledger: LedgerOracle;
  readonly log: ExactLog;
  readonly limits = new Map<string, RateLimitValues>();
  readonly spendLimits = new Map<Scope, Nano>();
  readonly intents: PaymentIntent[] = [];
  readonly timers: SimulatedTimers;
  readonly gateways: readonly SimulatedGateway[];
  readonly #runtime;

  constructor(
    seed: number,
    template: Uint8Array,
    readonly onStep: (what: string) => void,
  ) {
    this.random = seededRandom(seed);
    // Within a day of a month's end.
    const nowMs = Date.UTC(2027, 1) - this.random.between(0, DAY_MS);
    this.#runtime = simulatedRuntime({ seed, nowMs });
    this.store = new SimulatedStore(template);
    this.log = new ExactLog(() => this.nowMs);
    const isAlone = this.random.chance(ALONE);
    this.ledger = new LedgerOracle(this.store, isAlone, (admission, end) =>
      this.log.noteTakeover(admission, end),
    );
    this.timers = new SimulatedTimers(() => this.#runtime.clock.nowMs());
    const drift = this.random.between(-CLOCK_DRIFT_MS, CLOCK_DRIFT_MS);
    const isElsewhere = this.random.chance(ELSEWHERE);
    const first = this.#gateway("a", { isAlone, isElsewhere, drift: 0 });
    this.gateways = isAlone ? [first] : [first, this.#gateway("b", { isAlone, isElsewhere, drift })];
  }

  get nowMs(): number {
    return this.#runtime.clock.nowMs();
  }

  get isAlone(): boolean {
    return this.gateways.length === 1;
  }

  get running(): SimulatedGateway[] {
    return this.gateways.filter(({ isRunning }) => isRunning);
  }

  /** The calls that can take a step, each with its gateway. */
  get calls(): { readonly call: SimulatedCompletion; readonly gateway: SimulatedGateway }[] {
    return this.running.flatMap((gateway) => gateway.calls.map((call) => ({ call, gateway })));
  }

  /** Each process counts its own windows, so all calls of a project go to one gateway. */
  findGateway({ projectId }: AdmissionRequest): SimulatedGateway {
    const [first, last] = [this.gateways.at(0), this.gateways.at(-1)];
    const gateway = projectId === "proj_a" ? first : last;
    if (!gateway) throw new RangeError("There is a gateway in every simulation");
    return gateway;
  }

  pass(ms: number): void {
    this.#runtime.pass(ms);
    for (const gateway of this.gateways) gateway.wake();
  }

  /** Sets a limit that also applies after restarts; null removes it. */
  limitSpend(scope: Scope, limit: Nano | null): void {
    if (limit === null) this.spendLimits.delete(scope);
    else this.spendLimits.set(scope, limit);
    for (const { process } of this.gateways) process?.spend.setLimit(scope, limit);
  }

  /** Waits for all consequences of an effect, then checks the invariants. @throws BrokenInvariant */
  async check(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    for (const gateway of this.gateways) gateway.forgetOver();
    if (this.ledger.fault) throw this.ledger.fault;
    if (!this.isAlone) return;
    const [{ process }] = this.gateways as [SimulatedGateway];
    const storedBalance = this.ledger.available;
    const available = process?.funds.available ?? storedBalance;
    ensure(
      available <= storedBalance,
      "I2",
      () => `memory has ${available} available, the store ${storedBalance}`,
    );
  }

  /** Checks, when nothing is open, that memory matches the store and that everything a provider invoiced is charged. */
  checkRest(): void {
    this.ledger.checkHistory();
    ensure(this.ledger.heldCalls === 0, "I9", () => `${this.ledger.heldCalls} holds are still open`);
    for (const { process } of this.gateways) {
      if (!process) continue;
      process.funds.refresh();
      const { available } = process.funds;
      const storedBalance = this.ledger.available;
      ensure(
        available === storedBalance,
        "I7",
        () => `memory has ${available} available, the store ${storedBalance}`,
      );
      const { inFlight } = process.context.admissions;
      ensure(inFlight === 0, "in flight", () => `${inFlight} calls are counted as in flight`);
    }
    for (const { invoice, isComplete, requestId } of this.ledger.calls.values()) {
      const isCharged = this.ledger.charges.has(requestId);
      ensure(isCharged || invoice === null, "charged", () => `${requestId} is invoiced and not charged`);
      ensure(isCharged || !isComplete, "charged", () => `${requestId} is complete and not charged`);
    }
  }

  [Symbol.dispose](): void {
    this.timers[Symbol.dispose]();
    this.store[Symbol.dispose]();
  }

  #gateway(
    name: string,
    { drift, ...how }: { isAlone: boolean; isElsewhere: boolean; drift: number },
  ): SimulatedGateway {
    const { clock, random } = this.#runtime;
    const nowMs = () => clock.nowMs() + drift;
    const { store, ledger, log, timers, spendLimits } = this;
    return new SimulatedGateway({
      name,
      ...how,
      store,
      ledger,
      log,
      timers,
      spendLimits,
      runtime: { random, clock: { nowMs, monotonicMs: () => clock.monotonicMs() } },
    });
  }
}
