import { sql } from "kysely";
import { toNano } from "@/lib/money/amount";
import type { Reads } from "../../database/database";
import { isRareKind } from "../is-rare-kind";
import type { StatementCorrection, StatementSums } from "./statement";

/** The entries of a month. */
export type Span = Pick<StatementSums, "month" | "afterSeq" | "lastSeq">;

/** Returns the corrections entered in a month, with the entries they correct, in ledger order. */
export async function listCorrections(
  reads: Reads,
  { afterSeq, lastSeq }: Span,
): Promise<Omit<StatementCorrection, "projectName">[]> {
  const rows = await reads
    .selectFrom("ledger_entries as correction")
    .innerJoin("ledger_entries as entry", "entry.id", "correction.corrects")
    .select(["correction.id", "correction.created_at_ms", "correction.corrects", "correction.reason"])
    .select(["correction.project_id", "correction.model", "entry.kind", "entry.reference"])
    .select("entry.created_at_ms as corrected_at_ms")
    .select(
      sql<string>`cast(iif(correction.to_account = 'balance', 1, -1) * correction.amount AS text)`.as(
        "amount",
      ),
    )
    .where(sql.raw<boolean>(isRareKind(["correction"], "correction")))
    .where("correction.seq", ">", afterSeq)
    .where("correction.seq", "<=", lastSeq)
    .orderBy("correction.seq")
    .execute();
  return rows.map((row) => ({
    id: row.id,
    createdAtMs: row.created_at_ms,
    amount: toNano(BigInt(row.amount)),
    reason: row.reason ?? "",
    corrects: row.corrects ?? "",
    correctedKind: row.kind === "payment" ? "payment" : "charge",
    correctedAtMs: row.corrected_at_ms,
    correctedReference: row.reference,
    projectId: row.project_id,
    model: row.model,
  }));
}
