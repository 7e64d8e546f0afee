import { IDEMPOTENCY_MS, type Idempotency } from "../../balance/idempotency";
import type { LedgerStatements } from "./ledger-statements";

/** What the first request with an idempotency key recorded. */
interface KeptPosting {
  readonly id: string;
  /** Whether it waits, or waited, for a second person. */
  readonly isPending: boolean;
}

/** The payments and corrections that were recorded with an idempotency key. */
export class KeptPostings {
  constructor(private readonly statements: Pick<LedgerStatements, "findIdempotent" | "keepIdempotent">) {}

  keep({ scope, key, bodyHash }: Idempotency, posting: KeptPosting, atMs: number): void {
    this.statements.keepIdempotent.run(scope, key, bodyHash, JSON.stringify(posting), atMs, null);
  }

  /** Null where the key is new, `conflict` where it came with another request. */
  find({ scope, key, bodyHash }: Idempotency, nowMs: number): KeptPosting | "conflict" | null {
    const first = this.statements.findIdempotent.get({ scope, key, since: nowMs - IDEMPOTENCY_MS });
    if (!first?.reply) return null;
    return first.body_hash === bodyHash ? (JSON.parse(first.reply) as KeptPosting) : "conflict";
  }
}
