import { isRareKind } from "../../ledger/reads/ledger-conditions.sql";
import { formatCount } from "../format-count";
import { formatNano } from "../format-nano";
import { type Check, inRange, limitFaults, queryRows } from "./check";

interface Row {
  readonly id: string;
  readonly corrects: string;
  readonly kind: string | null;
  readonly whole: bigint | null;
  readonly corrected: bigint;
  readonly is_later: bigint;
  /** Whether project, model, key and call are those of the corrected entry. */
  readonly is_alike: bigint;
}

/** Checks the corrections in the range, together with all earlier corrections of the same entries. */
export const correctionCheck: Check = {
  title:
    "I22 a correction names an earlier payment or charge, and the corrections of an entry never exceed it",
  run(database, _nowMs, range) {
    const rows = queryRows<Row>(
      database,
      `SELECT correction.id, correction.corrects, entry.kind, entry.amount AS whole, entry.seq < correction.seq AS is_later,
         entry.request_id IS correction.request_id AND entry.project_id IS correction.project_id
           AND entry.key_id IS correction.key_id AND entry.model IS correction.model AS is_alike,
         (SELECT sum(amount) FROM ledger_entries AS other
          WHERE other.kind = 'correction' AND other.corrects = correction.corrects AND other.seq <= ${range.to}) AS corrected
       FROM ledger_entries AS correction LEFT JOIN ledger_entries AS entry ON entry.id = correction.corrects
       WHERE ${isRareKind(["correction"], "correction")} AND ${inRange(range, "correction.seq")}`,
    );
    const [sum] = queryRows<{ n: bigint }>(
      database,
      `SELECT count(*) AS n FROM ledger_entries WHERE ${isRareKind(["correction"])} AND seq <= ${range.to}`,
    );
    const count = sum?.n ?? 0n;
    return {
      checked: formatCount(count, "correction"),
      faults: limitFaults(rows.flatMap(findFaults)),
    };
  },
};

function findFaults(row: Row): string[] {
  const { id, corrects, kind, whole: fullAmount, corrected } = row;
  if (kind === null || fullAmount === null) return [`${id} corrects ${corrects}, which is no entry. ${MEND}`];
  if (kind !== "payment" && kind !== "charge")
    return [`${id} corrects ${corrects}, which is a ${kind.replace("_", " ")}. ${MEND}`];
  if (!row.is_later) return [`${id} corrects ${corrects}, which was entered after it. ${MEND}`];
  if (!row.is_alike) return [`${id} names another project, key, model or call than ${corrects}. ${MEND}`];
  if (corrected > fullAmount)
    return [
      `The corrections of ${corrects} add up to ${formatNano(corrected)} of ${formatNano(fullAmount)}; ${id} is one of them. ${MEND}`,
    ];
  return [];
}

const MEND = "Something wrote to the database by hand: compare with a backup.";
