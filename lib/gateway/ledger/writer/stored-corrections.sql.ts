import type { Database } from "bun:sqlite";
import { toNano } from "@/lib/money/amount";
import type { Correction, CorrectionFault } from "../payments/posting";
import {
  type BatchEntries,
  type CorrectedEntry,
  type CorrectionPosting,
  MAX_BALANCE,
  type StoredBalance,
} from "./ledger-statements.sql";

interface EntryRow {
  kind: string;
  amount: bigint;
  request_id: string | null;
  project_id: string | null;
  key_id: string | null;
  model: string | null;
  corrected: bigint;
}

/** A valid correction, with its amount and the entry it corrects. */
interface AllowedCorrection {
  readonly kind: "allowed";
  readonly correction: CorrectionPosting;
  readonly corrected: CorrectedEntry;
}

/**
 * Decides about corrections on the writer's connection, so that two concurrent corrections can't exceed an entry
 * together.
 */
export class StoredCorrections {
  readonly #find;

  constructor(
    sqlite: Database,
    private readonly balance: StoredBalance,
    private readonly entries: BatchEntries,
  ) {
    this.#find = sqlite.prepare<EntryRow, [string]>(
      `SELECT kind, amount, request_id, project_id, key_id, model, (SELECT coalesce(sum(amount), 0)
         FROM ledger_entries AS correction WHERE correction.kind = 'correction' AND corrects = entry.id) AS corrected
       FROM ledger_entries AS entry WHERE id = ?`,
    );
  }

  /**
   * If no amount is given, uses all that hasn't been corrected yet. A correction never makes the available balance
   * negative.
   */
  checkCorrection(correction: Correction): AllowedCorrection | CorrectionFault {
    // Earlier operations of the batch may have corrected the same entry.
    this.entries.write();
    const entry = this.#find.get(correction.corrects);
    if (!entry) return { kind: "unknown" };
    const { kind, amount: fullAmount, corrected } = entry;
    if (kind !== "payment" && kind !== "charge") return { kind: "not_correctable", entryKind: kind };
    const remaining = toNano(fullAmount - corrected);
    const amount = correction.amount ?? remaining;
    if (amount > remaining || amount <= 0n) return { kind: "exceeds", remaining };
    const { posted, held } = this.balance.now;
    const available = toNano(posted - held);
    if (kind === "payment" && amount > available) return { kind: "short", available, required: amount };
    if (kind === "charge" && posted + amount > MAX_BALANCE) return { kind: "too_large" };
    return { kind: "allowed", correction: { ...correction, amount }, corrected: describe(kind, entry) };
  }

  record({ correction, corrected }: AllowedCorrection): void {
    this.entries.correction(correction, corrected);
  }
}

function describe(
  kind: CorrectedEntry["kind"],
  { request_id, project_id, key_id, model }: EntryRow,
): CorrectedEntry {
  return { kind, requestId: request_id, projectId: project_id, keyId: key_id, model };
}
