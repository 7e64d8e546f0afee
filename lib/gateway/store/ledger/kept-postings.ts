import { IDEMPOTENCY_MS, type Idempotency } from "../../balance/idempotency";
import type { LedgerStatements } from "./ledger-statements";

/** The payment or correction recorded by the first request with an idempotency key. */
interface KeptPosting {
  readonly id: string;
  /** True if it needs, or needed, a second person's approval. */
  readonly isPending: boolean;
}

/** The payments and corrections that were recorded with an idempotency key. */
export class KeptPostings {
  constructor(private readonly statements: Pick<LedgerStatements, "findIdempotent" | "keepIdempotent">) {}

  keep({ scope, key, bodyHash }: Idempotency, posting: KeptPosting, atMs: number): void {
    this.statements.keepIdempotent.run(scope, key, bodyHash, JSON.stringify(posting), atMs, null);
  }

  /** Returns null for a new key, `conflict` for a key of another request. */
  find({ scope, key, bodyHash }: Idempotency, nowMs: number): KeptPosting | "conflict" | null {
    const first = this.statements.findIdempotent.get({ scope, key, since: nowMs - IDEMPOTENCY_MS });
    if (!first?.reply) return null;
    return first.body_hash === bodyHash ? (JSON.parse(first.reply) as KeptPosting) : "conflict";
  }
}
