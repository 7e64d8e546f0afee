import { IDEMPOTENCY_MS, type Idempotency } from "../../idempotency/idempotency";
import type { IdempotentPosting } from "../payments/posting";
import type { LedgerStatements } from "./ledger-statements.sql";

/** The payments and corrections that were recorded with an idempotency key. */
export class IdempotentPostings {
  constructor(private readonly statements: Pick<LedgerStatements, "findIdempotent" | "keepIdempotent">) {}

  /** Keeps one posting, or those of an import. */
  keep(
    { scope, key, bodyHash }: Idempotency,
    postings: IdempotentPosting | readonly IdempotentPosting[],
    atMs: number,
  ): void {
    this.statements.keepIdempotent.run(scope, key, bodyHash, JSON.stringify(postings), atMs, null);
  }

  /**
   * Returns null for a new key, `conflict` for a key of another request. The hash of a request differs between single
   * postings and imports, so the caller knows which of them it gets.
   */
  find<Kept extends IdempotentPosting | readonly IdempotentPosting[] = IdempotentPosting>(
    { scope, key, bodyHash }: Idempotency,
    nowMs: number,
  ): Kept | "conflict" | null {
    const first = this.statements.findIdempotent.get({ scope, key, since: nowMs - IDEMPOTENCY_MS });
    if (!first?.reply) return null;
    return first.body_hash === bodyHash ? (JSON.parse(first.reply) as Kept) : "conflict";
  }
}
