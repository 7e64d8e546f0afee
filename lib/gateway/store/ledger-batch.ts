import { type Database, SQLiteError } from "bun:sqlite";
import type {
  CallEnd,
  HoldDraft,
  Idempotency,
  Payment,
  PaymentOutcome,
  Settlement,
} from "../balance/ledger-writer";
import type { LedgerOperation, LedgerResult } from "./ledger-operation";
import { type LedgerStatements, prepareLedgerStatements } from "./ledger-statements";

type Account = "payments" | "balance" | "charges" | "provider_variance";

const IDEMPOTENCY_MS = 24 * 60 * 60 * 1000;
const LARGEST_BALANCE = 9_000_000_000_000_000_000n;

/**
 * Applies operations to the ledger, a batch in one transaction: all of it is on disk when `apply` returns. Where a batch
 * breaks a rule of the tables, its operations are tried one by one, so that the bad one fails alone.
 */
export class LedgerBatch {
  readonly #statements: LedgerStatements;
  readonly #moves = new Map<Account, bigint>();
  #posted = 0n;
  #held = 0n;

  constructor(private readonly sqlite: Database) {
    this.#statements = prepareLedgerStatements(sqlite);
    this.#reload();
  }

  get posted(): bigint {
    return this.#posted;
  }

  apply(operations: readonly LedgerOperation[]): LedgerResult[] {
    try {
      return this.#transact(operations);
    } catch (error) {
      if (operations.length > 1 && breaksRule(error)) return operations.flatMap((one) => this.apply([one]));
      return operations.map(() => ({ failed: String(error) }));
    }
  }

  #transact(operations: readonly LedgerOperation[]): LedgerResult[] {
    this.sqlite.run("BEGIN IMMEDIATE");
    try {
      const results = operations.map((operation) => this.#apply(operation));
      this.#bookMoves();
      this.sqlite.run("COMMIT");
      return results;
    } catch (error) {
      if (this.sqlite.inTransaction) this.sqlite.run("ROLLBACK");
      this.#reload();
      throw error;
    }
  }

  #reload(): void {
    this.#moves.clear();
    this.#posted = this.#statements.balance.get()?.balance ?? 0n;
    this.#held = this.#statements.heldTotal.get()?.held ?? 0n;
  }

  #apply(operation: LedgerOperation): LedgerResult {
    switch (operation.kind) {
      case "hold":
        return this.#placeHold(operation.hold);
      case "settle":
        return this.#settle(operation.settlement);
      case "release": {
        const { holdId, end } = operation.release;
        const released = this.#statements.releaseHold.get(end.atMs, holdId);
        if (!released) return true;
        this.#held -= released.amount;
        this.#logCall(holdId, end, null, null);
        return true;
      }
      case "checkpoint":
        this.#statements.checkpoint.run(operation.completionTokens, operation.holdId);
        return true;
      case "refusal": {
        const { requestId, atMs, projectId, keyId, model, stream, status, refusedBy, estimatedTokens } =
          operation.refused;
        const call = [requestId, atMs, projectId, keyId, model, Number(stream)] as const;
        this.#statements.logRefusal.run(...call, status, refusedBy, estimatedTokens);
        return true;
      }
      case "payment":
        return this.#recordPayment(operation.payment, operation.idempotency);
    }
  }

  #placeHold(hold: HoldDraft): boolean {
    if (this.#held + hold.amount > this.#posted) return false;
    const { id, requestId, amount, projectId, keyId, model, promptTokens, maxCompletionTokens, price } = hold;
    const { inputPer1m, outputPer1m, rate } = price;
    this.#statements.placeHold.run(
      id,
      requestId,
      amount,
      projectId,
      keyId,
      model,
      promptTokens,
      maxCompletionTokens,
      inputPer1m,
      outputPer1m,
      rate,
      hold.createdAtMs,
      hold.deadlineAtMs,
    );
    this.#held += amount;
    return true;
  }

  #settle({ holdId, entryId, varianceEntryId, charge, usage, basis, end }: Settlement): boolean {
    const held = this.#statements.postHold.get(end.atMs, holdId);
    if (!held) return true;
    const { promptTokens, completionTokens } = usage;
    const known = [end.atMs, basis, promptTokens, completionTokens, holdId] as const;
    const posted = charge < held.amount ? charge : held.amount;
    this.#statements.charge.run(entryId, posted, ...known);
    this.#move("balance", "charges", posted);
    if (charge > posted) {
      this.#statements.variance.run(varianceEntryId, charge - posted, ...known);
      this.#move("provider_variance", "charges", charge - posted);
    }
    this.#held -= held.amount;
    this.#logCall(holdId, end, promptTokens, completionTokens);
    return true;
  }

  #recordPayment(payment: Payment, idempotency: Idempotency | null): PaymentOutcome {
    const { id, amount, reference, createdAtMs } = payment;
    const first = idempotency && this.#findPayment(idempotency, createdAtMs);
    if (first) return first;
    if (this.#posted + amount > LARGEST_BALANCE) return { kind: "too_large" };
    if (idempotency) {
      const { scope, key, bodyHash } = idempotency;
      const reply = JSON.stringify({ ...payment, amount: String(amount) });
      this.#statements.keepIdempotent.run(scope, key, bodyHash, reply, createdAtMs);
    }
    this.#statements.payment.run(id, amount, createdAtMs, reference);
    this.#move("payments", "balance", amount);
    return { kind: "recorded", payment };
  }

  #findPayment({ scope, key, bodyHash }: Idempotency, nowMs: number): PaymentOutcome | null {
    const first = this.#statements.findIdempotent.get({ scope, key, since: nowMs - IDEMPOTENCY_MS });
    if (!first) return null;
    return first.body_hash === bodyHash ? repeated(first.reply) : { kind: "conflict" };
  }

  #logCall(holdId: string, end: CallEnd, promptTokens: number | null, completionTokens: number | null): void {
    const { stream, outcome, status, estimatedTokens, firstByteMs, durationMs } = end;
    this.#statements.logCall.run(
      Number(stream),
      outcome,
      status,
      estimatedTokens,
      promptTokens,
      completionTokens,
      firstByteMs,
      durationMs,
      holdId,
    );
  }

  /** The accounts of a batch are moved once, at its end. */
  #move(from: Account, to: Account, amount: bigint): void {
    this.#moves.set(from, (this.#moves.get(from) ?? 0n) - amount);
    this.#moves.set(to, (this.#moves.get(to) ?? 0n) + amount);
    if (to === "balance") this.#posted += amount;
    if (from === "balance") this.#posted -= amount;
  }

  #bookMoves(): void {
    for (const [account, amount] of this.#moves) {
      if (amount >= 0n) this.#statements.moveIn.run(amount, account);
      else if (this.#statements.moveOut.run(-amount, account, account, -amount).changes === 0) {
        throw new Error(`The account ${account} does not have ${-amount}`);
      }
    }
    this.#moves.clear();
  }
}

function breaksRule(error: unknown): boolean {
  return !(error instanceof SQLiteError) || (error.code ?? "").startsWith("SQLITE_CONSTRAINT");
}

function repeated(reply: string): PaymentOutcome {
  const payment = JSON.parse(reply) as Omit<Payment, "amount"> & { amount: string };
  return { kind: "repeated", payment: { ...payment, amount: BigInt(payment.amount) as Payment["amount"] } };
}
