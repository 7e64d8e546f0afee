import type { Statement } from "bun:sqlite";
import { type ChainedValues, FIRST_BATCH_HASH, hashBatch, toChainedValues } from "../../ledger/ledger-row";
import type { Admission } from "../../rate-limits/admissions";
import { Refusal } from "../../refusal";
import { BrokenInvariant, ensure } from "../broken-invariant";
import type { CrashOutcome } from "../exact-log";
import { type Committed, isFailure } from "../simulated-funds";
import type { SimulatedStore } from "../simulated-process";
import { type CallRecord, checkCharge, type Entry } from "./check-charge";

/** Tracks payments, charges and their corrections, independently of the code that writes them. */
class CorrectionOracle {
  /** The uncorrected amount of each payment and charge, by its id. */
  readonly remaining = new Map<string, bigint>();
  readonly #entries = new Map<string, Entry>();
  readonly recorded = new Set<string>();

  /** Adds a payment or a charge, which can be corrected from now on. */
  add(entry: Entry): void {
    this.#entries.set(entry.id, entry);
    this.remaining.set(entry.id, entry.amount);
  }

  correct(correction: Entry): void {
    const { id, corrects, amount, from_account, to_account, request_id, project_id } = correction;
    const entry = this.#entries.get(corrects ?? "");
    if (!entry) throw new BrokenInvariant("I22", `${id} corrects ${corrects}, which is no payment or charge`);
    const isReversed = from_account === entry.to_account && to_account === entry.from_account;
    ensure(isReversed, "I22", () => `${id} moves ${from_account} to ${to_account}`);
    const isAlike = request_id === entry.request_id && project_id === entry.project_id;
    ensure(isAlike, "I22", () => `${id} names another call or project than ${corrects}`);
    const remainder = (this.remaining.get(entry.id) ?? 0n) - amount;
    ensure(amount > 0n && remainder >= 0n, "I22", () => `${id} leaves ${remainder} of ${corrects}`);
    this.remaining.set(entry.id, remainder);
    this.recorded.add(id);
  }
}

/** Reads the ledger after each commit, independently of the code that writes it, and checks the invariants. */
export class LedgerOracle {
  readonly leases: LeaseOracle;
  readonly calls = new Map<string, CallRecord>();
  readonly charges = new Map<string, Entry>();
  readonly payments = new Set<string>();
  readonly uncharged = new Map<string, string>();
  readonly corrections = new CorrectionOracle();
  posted = 0n;
  held = 0n;
  /** An error found while a promise was answered; thrown at the end of the step. */
  fault: unknown = null;
  #heldCalls = new Set<string>();
  readonly #takenOver = new Set<string>();
  readonly #references = new Set<string | null>();
  readonly #entries: Entry[] = [];
  readonly #variances = new Map<string, bigint>();
  readonly #sums = new Map<string, bigint>();
  #lastHash: Uint8Array = FIRST_BATCH_HASH;
  readonly #statements: Record<"entries" | "accounts" | "holds" | "uncharged", Statement<unknown, bigint[]>>;

  /** @param onTakenOver is called when another process has resolved a call's hold. */
  constructor(
    private readonly store: SimulatedStore,
    /** Whether only one process at a time uses the store, so that its memory is complete. */
    private readonly isAlone: boolean,
    private readonly onTakenOver: (admission: Admission, end: CrashOutcome) => void,
  ) {
    const { sqlite } = store;
    this.leases = new LeaseOracle(store);
    this.#statements = {
      entries: sqlite.prepare("SELECT * FROM ledger_entries WHERE seq > ? ORDER BY seq"),
      accounts: sqlite.prepare("SELECT name, balance, held FROM accounts"),
      holds: sqlite.prepare("SELECT request_id, amount FROM holds"),
      uncharged: sqlite.prepare("SELECT id, outcome FROM uncharged_calls WHERE outcome <> 'refused'"),
    };
  }

  get available(): bigint {
    return this.posted - this.held;
  }

  get heldCalls(): number {
    return this.#heldCalls.size;
  }

  /** Reads the ledger after a process's commit, and records what was stored of the batch. */
  readCommit({ operations, results }: Committed, by: string): void {
    const mayHold = this.leases.isLeased(by);
    this.read(by);
    for (const [index, operation] of operations.entries()) {
      const result = results[index] ?? { failed: "no answer" };
      const isTaken = !isFailure(result);
      const isRefused = operation.kind === "hold" && !mayHold;
      const isRight = isTaken || isRefused || this.store.isBroken;
      ensure(isRight, "store", () => `${operation.kind}: ${JSON.stringify(result)}`);
      if (operation.kind === "hold" && result === false && this.isAlone) {
        const { requestId } = operation.hold;
        ensure(!this.calls.has(requestId), "I2", () => `memory covered ${requestId}, the store does not`);
      }
      if (operation.kind !== "checkpoint" || !isTaken) continue;
      const call = this.calls.get(toRequestId(operation.holdId));
      if (call) call.storedCheckpoint = operation.checkpoint.completionTokens;
    }
  }

  /** @param by the process that committed. */
  read(by: string): void {
    const takenOver = this.leases.read(by);
    for (const requestId of takenOver) this.#takenOver.add(requestId);
    const last = this.#entries.at(-1)?.seq ?? 0n;
    const fresh = this.#statements.entries.all(last) as Entry[];
    this.#readChain(fresh);
    for (const entry of fresh) this.#book(entry);
    for (const entry of fresh) {
      if (entry.kind !== "charge" || entry.request_id === null) continue;
      const variance = this.#variances.get(entry.request_id) ?? 0n;
      const isReaped = takenOver.has(entry.request_id);
      checkCharge(entry, { call: this.calls.get(entry.request_id), variance, isReaped });
    }
    const heldSum = this.#readAccounts();
    this.#readHolds(heldSum);
    this.#readUncharged();
    for (const requestId of takenOver) {
      const call = this.calls.get(requestId);
      const end = this.#findEnd(requestId);
      if (call && end) this.onTakenOver(call.admission, end);
    }
  }

  /** Checks that no earlier entry of the ledger has changed. */
  checkHistory(): void {
    const again = this.#statements.entries.all(0n) as Entry[];
    ensure(Bun.deepEquals(again, this.#entries), "I5", () => "an entry was changed or removed");
  }

  /** A call goes to a provider only once its hold is on disk. */
  mustHold({ requestId }: CallRecord): void {
    this.#note(this.#heldCalls.has(requestId), "hold first", () => `${requestId} is sent without a hold`);
  }

  /** A reply ends only once its charge is on disk. */
  mustCharge({ requestId }: CallRecord): void {
    this.#note(this.charges.has(requestId), "charged", () => `${requestId} is complete and not charged`);
  }

  /** A payment is confirmed only once it is on disk. */
  mustHavePayment(id: string): void {
    this.#note(this.payments.has(id), "payments", () => `${id} is confirmed and not recorded`);
  }

  mustHaveCorrection(id: string): void {
    this.#note(this.corrections.recorded.has(id), "corrections", () => `${id} is not recorded`);
  }

  /** Checks that a correction was refused for a valid reason, such as an excessive amount. */
  mustBeCorrectionRefusal(error: unknown): void {
    const isExpected = error instanceof Refusal && [400, 402, 409, 503].includes(error.status);
    if (!isExpected) this.fault ??= error;
  }

  /** The ledger's outcome of a call whose process has just died; null if the ledger doesn't know the call. */
  findCrashed(admission: Admission): CrashOutcome | "open" | null {
    for (const { requestId, admission: ownAdmission } of this.calls.values()) {
      if (ownAdmission === admission)
        return this.#heldCalls.has(requestId) ? "open" : this.#findEnd(requestId);
    }
    return null;
  }

  #findEnd(requestId: string): CrashOutcome | null {
    const charge = this.charges.get(requestId);
    const outcome = this.uncharged.get(requestId);
    if (!charge) return outcome ? { wasSent: outcome !== "unsent", tokens: 0, isReaped: false } : null;
    const tokens = Number(charge.prompt_tokens) + Number(charge.completion_tokens);
    return { wasSent: true, tokens, isReaped: this.#takenOver.has(requestId) };
  }

  readonly mustBeRefusal = (error: unknown): void => {
    const isExpected = error instanceof Refusal && error.status === 503;
    if (!isExpected) this.fault ??= error;
  };

  #note(holds: boolean, invariant: string, message: () => string): void {
    if (!holds) this.fault ??= new BrokenInvariant(invariant, message());
  }

  #book(entry: Entry): void {
    const { id, kind, amount, from_account, to_account, reference, request_id: requestId } = entry;
    this.#entries.push(entry);
    this.#sums.set(from_account, (this.#sums.get(from_account) ?? 0n) - amount);
    this.#sums.set(to_account, (this.#sums.get(to_account) ?? 0n) + amount);
    if (kind === "correction") return this.corrections.correct(entry);
    // A corrected payment lowers the balance without the process's knowledge, and with one process its memory must be
    // complete.
    if (kind === "charge" || (kind === "payment" && !this.isAlone)) this.corrections.add(entry);
    if (kind === "payment") {
      ensure(!this.#references.has(reference), "payments", () => `${reference} is recorded twice`);
      this.#references.add(reference);
      this.payments.add(id);
      return;
    }
    if (requestId === null) throw new BrokenInvariant("I6", `${id} is a charge for no request`);
    if (kind === "provider_variance") {
      this.#variances.set(requestId, (this.#variances.get(requestId) ?? 0n) + amount);
      return;
    }
    ensure(!this.charges.has(requestId), "I6", () => `${requestId} is charged twice`);
    ensure(!this.uncharged.has(requestId), "I3", () => `${requestId} was released and is charged`);
    this.charges.set(requestId, entry);
  }

  /** Checks that each batch is chained to the previous one, regardless of failures and crashes in between. */
  #readChain(entries: readonly Entry[]): void {
    let batch: ChainedValues[] = [];
    for (const entry of entries) {
      batch.push(toChainedValues(entry));
      if (entry.hash === null) continue;
      const expectedHash = hashBatch(this.#lastHash, batch);
      const isChained = Bun.deepEquals(expectedHash, entry.hash);
      ensure(isChained, "I11", () => `the batch up to ${entry.id} has another hash`);
      [this.#lastHash, batch] = [entry.hash, []];
    }
    ensure(batch.length === 0, "I11", () => `${batch.length} entries are in no batch`);
  }

  /** @returns the held amount according to the store's account. */
  #readAccounts(): bigint {
    let total = 0n;
    let allHeld = 0n;
    const accounts = this.#statements.accounts.all() as { name: string; balance: bigint; held: bigint }[];
    for (const { name, balance, held } of accounts) {
      const folded = this.#sums.get(name) ?? 0n;
      ensure(balance === folded, "I7", () => `${name} says ${balance}, its entries add up to ${folded}`);
      if (name === "balance") this.posted = balance;
      total += balance;
      allHeld += held;
    }
    ensure(total === 0n, "I1", () => `debits and credits differ by ${total}`);
    return allHeld;
  }

  #readHolds(stored: bigint): void {
    const holds = this.#statements.holds.all() as { request_id: string; amount: bigint }[];
    this.#heldCalls = new Set(holds.map((hold) => hold.request_id));
    this.held = holds.reduce((sum, { amount }) => sum + amount, 0n);
    ensure(this.held === stored, "held", () => `${stored} are held, open holds add up to ${this.held}`);
    ensure(this.available >= 0n, "I2", () => `${this.available} are available`);
    for (const requestId of this.#heldCalls) {
      const isResolved = this.charges.has(requestId) || this.uncharged.has(requestId);
      ensure(!isResolved, "I3", () => `${requestId} is resolved, and its hold is open`);
      const isKnown = this.calls.has(requestId);
      ensure(isKnown, "hold first", () => `${requestId} has a hold, and was never let through`);
    }
  }

  #readUncharged(): void {
    for (const { id, outcome } of this.#statements.uncharged.all() as { id: string; outcome: string }[]) {
      if (this.uncharged.has(id)) continue;
      ensure(!this.charges.has(id), "I3", () => `${id} was charged and is released`);
      const ending = this.calls.get(id)?.ending;
      const isRight = ending?.kind === "release" && ending.outcome === outcome;
      ensure(isRight, "charged", () => `${id} costs nothing as ${outcome}, and ended as ${ending?.kind}`);
      this.uncharged.set(id, outcome);
    }
  }
}

function toRequestId(holdId: string): string {
  return `req_${holdId.slice("hold_".length)}`;
}

/** A process's own clock, while it runs. */
type ProcessClock = () => number;

/** Reads leases and hold owners after each commit, and checks the promises of leases. */
class LeaseOracle {
  /** The clocks of running processes, by owner name. */
  readonly living = new Map<string, ProcessClock>();
  #ends = new Map<string, number>();
  #owners = new Map<string, string>();
  readonly #statements: Record<"leases" | "holds", Statement<unknown, []>>;

  constructor({ sqlite }: SimulatedStore) {
    this.#statements = {
      leases: sqlite.prepare("SELECT owner, ends_at_ms FROM leases"),
      holds: sqlite.prepare("SELECT request_id, owner FROM holds"),
    };
  }

  /** Whether a process may hold money, by its own clock and the store's state before its commit. */
  isLeased(owner: string): boolean {
    const nowMs = this.living.get(owner)?.() ?? Number.POSITIVE_INFINITY;
    return (this.#ends.get(owner) ?? 0) > nowMs;
  }

  /** Called after a commit of the process `by`. @returns the requests whose holds it has taken over. */
  read(by: string): Set<string> {
    const ends = this.#readEnds();
    const owners = this.#readOwners();
    for (const [owner] of this.#ends) {
      if (!ends.has(owner)) this.#mustBeOver(owner, by);
    }
    for (const [requestId, owner] of owners) {
      ensure(ends.has(owner), "owner", () => `the hold of ${requestId} is ${owner}'s, who has no lease`);
      const isNew = !this.#owners.has(requestId);
      ensure(!isNew || owner === by, "owner", () => `${by} placed the hold of ${requestId} for ${owner}`);
      ensure(!isNew || this.isLeased(by), "lease", () => `${by} holds for ${requestId} without a lease`);
    }
    const takenOver = new Set<string>();
    for (const [requestId, owner] of this.#owners) {
      if (owner === by || owners.has(requestId)) continue;
      this.#mustBeOver(owner, by);
      takenOver.add(requestId);
    }
    [this.#ends, this.#owners] = [ends, owners];
    return takenOver;
  }

  #mustBeOver(owner: string, by: string): void {
    const isOver = !this.living.has(owner) || !this.isLeased(owner);
    ensure(isOver, "lease", () => `${by} took over from ${owner}, who lives and has a lease`);
  }

  #readEnds(): Map<string, number> {
    const rows = this.#statements.leases.all() as { owner: string; ends_at_ms: bigint }[];
    return new Map(rows.map(({ owner, ends_at_ms }) => [owner, Number(ends_at_ms)]));
  }

  #readOwners(): Map<string, string> {
    const rows = this.#statements.holds.all() as { request_id: string; owner: string }[];
    return new Map(rows.map(({ request_id, owner }) => [request_id, owner]));
  }
}
