import type { Statement } from "bun:sqlite";
import type { PriceSnapshot, TokenUsage } from "@/lib/money/charge";
import type { Admission } from "../admission/admission";
import { Refusal } from "../ports/refusal";
import { BrokenInvariant, must } from "./broken-invariant";
import type { CallRecord } from "./call-record";
import type { CrashedCall } from "./perfect-log";
import type { SimulatedStore } from "./simulated-store";
import { type Committed, isFailure } from "./simulated-writer";

interface Entry {
  readonly seq: bigint;
  readonly id: string;
  readonly kind: "payment" | "charge" | "provider_variance";
  readonly amount: bigint;
  readonly from_account: string;
  readonly to_account: string;
  readonly reference: string | null;
  readonly request_id: string | null;
  readonly basis: string | null;
  readonly held: bigint | null;
  readonly prompt_tokens: bigint | null;
  readonly completion_tokens: bigint | null;
}

const RATE = 10n ** 15n;

/** Reads the ledger after each commit, beside the code that writes it, and holds it to the invariants. */
export class LedgerOracle {
  readonly calls = new Map<string, CallRecord>();
  readonly charges = new Map<string, Entry>();
  readonly payments = new Set<string>();
  readonly uncharged = new Map<string, string>();
  posted = 0n;
  held = 0n;
  /** What went wrong while a promise of the gateway's was answered; thrown at the end of the step. */
  fault: unknown = null;
  #openHolds = new Set<string>();
  readonly #reaped = new Set<string>();
  readonly #references = new Set<string | null>();
  readonly #entries: Entry[] = [];
  readonly #variances = new Map<string, bigint>();
  readonly #sums = new Map<string, bigint>();
  readonly #statements: Record<"entries" | "accounts" | "holds" | "uncharged", Statement<unknown, bigint[]>>;

  constructor(private readonly store: SimulatedStore) {
    const { sqlite } = store;
    this.#statements = {
      entries: sqlite.prepare("SELECT * FROM ledger_entries WHERE seq > ? ORDER BY seq"),
      accounts: sqlite.prepare("SELECT name, balance FROM accounts"),
      holds: sqlite.prepare("SELECT request_id, amount FROM holds"),
      uncharged: sqlite.prepare("SELECT id, outcome FROM uncharged_calls WHERE outcome <> 'refused'"),
    };
  }

  get available(): bigint {
    return this.posted - this.held;
  }

  get openHolds(): number {
    return this.#openHolds.size;
  }

  /** Reads what the ledger has become, and notes what of the batch was stored. */
  readCommit({ operations, results }: Committed): void {
    this.read({ isReaped: false });
    for (const [index, operation] of operations.entries()) {
      const result = results[index] ?? { failed: "no answer" };
      const isTaken = !isFailure(result);
      must(isTaken || this.store.isBroken, "store", () => `${operation.kind}: ${JSON.stringify(result)}`);
      if (operation.kind === "hold" && result === false) {
        const { requestId } = operation.hold;
        must(!this.calls.has(requestId), "I2", () => `memory covered ${requestId}, the store does not`);
      }
      if (operation.kind !== "checkpoint" || !isTaken) continue;
      const call = this.calls.get(requestOf(operation.holdId));
      if (call) call.storedCheckpoint = operation.completionTokens;
    }
  }

  /** @param isReaped whether it was just reaped, so that what was interrupted may be charged. */
  read({ isReaped }: { readonly isReaped: boolean }): void {
    const last = this.#entries.at(-1)?.seq ?? 0n;
    const fresh = this.#statements.entries.all(last) as Entry[];
    for (const entry of fresh) this.#book(entry, isReaped);
    for (const entry of fresh) this.#checkCharge(entry);
    this.#readHolds();
    this.#readUncharged();
    this.#checkAccounts();
  }

  /** The ledger still says what it said: nothing was changed behind it. */
  checkHistory(): void {
    const again = this.#statements.entries.all(0n) as Entry[];
    must(Bun.deepEquals(again, this.#entries), "I5", () => "an entry was changed or removed");
  }

  /** No call goes to a provider unless its hold is on disk. */
  mustHold({ requestId }: CallRecord): void {
    this.#note(this.#openHolds.has(requestId), "hold first", () => `${requestId} is sent without a hold`);
  }

  /** No reply ends unless its charge is on disk. */
  mustCharge({ requestId }: CallRecord): void {
    this.#note(this.charges.has(requestId), "charged", () => `${requestId} is complete and not charged`);
  }

  /** No payment is confirmed unless it is on disk. */
  mustHavePayment(id: string): void {
    this.#note(this.payments.has(id), "payments", () => `${id} is confirmed and not recorded`);
  }

  /** What the ledger says of a call that was open when its process died; null where it has never heard of it. */
  findCrashed(admission: Admission): CrashedCall | null {
    for (const { requestId, admission: own } of this.calls.values()) {
      if (own !== admission) continue;
      const charge = this.charges.get(requestId);
      const outcome = this.uncharged.get(requestId);
      if (!charge) return outcome ? { wasSent: outcome !== "unsent", tokens: 0, isReaped: false } : null;
      const tokens = Number(charge.prompt_tokens) + Number(charge.completion_tokens);
      return { wasSent: true, tokens, isReaped: this.#reaped.has(requestId) };
    }
    return null;
  }

  readonly mustBeRefusal = (error: unknown): void => {
    if (!(error instanceof Refusal && error.status === 503)) this.fault ??= error;
  };

  #note(holds: boolean, invariant: string, message: () => string): void {
    if (!holds) this.fault ??= new BrokenInvariant(invariant, message());
  }

  #book(entry: Entry, isReaped: boolean): void {
    const { id, kind, amount, from_account, to_account, reference, request_id: requestId } = entry;
    this.#entries.push(entry);
    this.#sums.set(from_account, (this.#sums.get(from_account) ?? 0n) - amount);
    this.#sums.set(to_account, (this.#sums.get(to_account) ?? 0n) + amount);
    if (kind === "payment") {
      must(!this.#references.has(reference), "payments", () => `${reference} is recorded twice`);
      this.#references.add(reference);
      this.payments.add(id);
      return;
    }
    if (requestId === null) throw new BrokenInvariant("I6", `${id} is a charge for no request`);
    if (kind === "provider_variance") {
      this.#variances.set(requestId, (this.#variances.get(requestId) ?? 0n) + amount);
      return;
    }
    must(!this.charges.has(requestId), "I6", () => `${requestId} is charged twice`);
    must(!this.uncharged.has(requestId), "I3", () => `${requestId} was released and is charged`);
    must(!isReaped || entry.basis === "interrupted", "basis", () => `${requestId} is ${entry.basis}`);
    if (isReaped) this.#reaped.add(requestId);
    this.charges.set(requestId, entry);
  }

  /** The sums of a charge, to the nano-unit, worked out here once more. */
  #checkCharge({ kind, request_id: requestId, amount, held, basis, ...entry }: Entry): void {
    if (kind !== "charge" || requestId === null) return;
    const call = this.calls.get(requestId);
    if (!call) throw new BrokenInvariant("I6", `${requestId} is charged and was never let through`);
    const { holdAmount, request } = call.admission;
    must(held === holdAmount, "sums", () => `${requestId} held ${holdAmount}, its charge says ${held}`);
    must(amount <= holdAmount, "I4", () => `${requestId} is charged ${amount} of a hold of ${holdAmount}`);
    const usage = this.#reaped.has(requestId) ? knownUsage(call) : dueUsage(call, basis);
    const isExact = Number(entry.prompt_tokens) === usage.promptTokens;
    must(isExact && Number(entry.completion_tokens) === usage.completionTokens, "sums", () => {
      return `${requestId} is charged for other tokens than it used`;
    });
    const booked = amount + (this.#variances.get(requestId) ?? 0n);
    const due = priceOf(usage, request.price);
    must(booked === due, "sums", () => `${booked} are booked for ${requestId}, ${due} are due`);
  }

  #readHolds(): void {
    const holds = this.#statements.holds.all() as { request_id: string; amount: bigint }[];
    this.#openHolds = new Set(holds.map((hold) => hold.request_id));
    this.held = holds.reduce((sum, { amount }) => sum + amount, 0n);
    for (const requestId of this.#openHolds) {
      const isResolved = this.charges.has(requestId) || this.uncharged.has(requestId);
      must(!isResolved, "I3", () => `${requestId} is resolved, and its hold is open`);
    }
  }

  #readUncharged(): void {
    for (const { id, outcome } of this.#statements.uncharged.all() as { id: string; outcome: string }[]) {
      if (this.uncharged.has(id)) continue;
      must(!this.charges.has(id), "I3", () => `${id} was charged and is released`);
      const ending = this.calls.get(id)?.ending;
      const isRight = ending?.kind === "release" && ending.outcome === outcome;
      must(isRight, "charged", () => `${id} costs nothing as ${outcome}, and ended as ${ending?.kind}`);
      this.uncharged.set(id, outcome);
    }
  }

  #checkAccounts(): void {
    let total = 0n;
    for (const { name, balance } of this.#statements.accounts.all() as { name: string; balance: bigint }[]) {
      const folded = this.#sums.get(name) ?? 0n;
      must(balance === folded, "I7", () => `${name} says ${balance}, its entries add up to ${folded}`);
      if (name === "balance") this.posted = balance;
      total += balance;
    }
    must(total === 0n, "I1", () => `debits and credits differ by ${total}`);
    must(this.available >= 0n, "I2", () => `${this.available} are available`);
    const stray = [...this.#openHolds].find((requestId) => !this.calls.has(requestId));
    must(stray === undefined, "hold first", () => `${stray} has a hold, and was never let through`);
  }
}

/** What is known of a call whose process died. */
function knownUsage({ admission, storedCheckpoint }: CallRecord): TokenUsage {
  return { promptTokens: admission.request.promptTokens, completionTokens: storedCheckpoint };
}

/** What a call is to be charged for: what it ended with. */
function dueUsage({ ending, requestId }: CallRecord, basis: string | null): TokenUsage {
  if (ending?.kind === "settle" && ending.basis === basis) return ending.usage;
  const ended = ending?.kind === "settle" ? ending.basis : (ending?.kind ?? "nothing");
  throw new BrokenInvariant("charged", `${requestId} is charged as ${basis}, and ended as ${ended}`);
}

function priceOf({ promptTokens, completionTokens }: TokenUsage, price: PriceSnapshot): bigint {
  const list = BigInt(promptTokens) * price.inputPer1m + BigInt(completionTokens) * price.outputPer1m;
  return (2n * list * price.rate + RATE) / (2n * RATE);
}

function requestOf(holdId: string): string {
  return `req_${holdId.slice("hold_".length)}`;
}
