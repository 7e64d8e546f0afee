import { isRareKind } from "../../ledger/reads/ledger-conditions.sql";
import { formatCount } from "../format-count";
import { formatNano } from "../format-nano";
import { type Check, inRange, type LedgerRange, limitFaults, queryRows } from "./check";

export interface CorrectionRow {
  readonly id: string;
  readonly corrects: string;
  readonly kind: string | null;
  readonly whole: bigint | null;
  readonly corrected: bigint;
  readonly is_later: bigint | boolean | null;
  /** Whether project, model, key and call are those of the corrected entry. */
  readonly is_alike: bigint | boolean | null;
}

export const CORRECTIONS_ARE_WITHIN =
  "I22 a correction names an earlier payment or charge, and the corrections of an entry never exceed it";

/** The SQL of the corrections in the range, with all earlier corrections of the same entries, on both engines. */
export function selectCorrections(range: LedgerRange): string {
  const isSame = (column: string) => `entry.${column} IS NOT DISTINCT FROM correction.${column}`;
  return `SELECT correction.id, correction.corrects, entry.kind, entry.amount AS whole, entry.seq < correction.seq AS is_later,
      ${["request_id", "project_id", "key_id", "model"].map(isSame).join(" AND ")} AS is_alike,
      (SELECT CAST(sum(amount) AS bigint) FROM ledger_entries AS other
        WHERE other.kind = 'correction' AND other.corrects = correction.corrects AND other.seq <= ${range.to}) AS corrected
    FROM ledger_entries AS correction LEFT JOIN ledger_entries AS entry ON entry.id = correction.corrects
    WHERE ${isRareKind(["correction"], "correction")} AND ${inRange(range, "correction.seq")}`;
}

/** The SQL of how many corrections there are, on both engines. */
export const countCorrections = ({ to }: LedgerRange) =>
  `SELECT count(*) AS n FROM ledger_entries WHERE ${isRareKind(["correction"])} AND seq <= ${to}`;

export const correctionCheck: Check = {
  title: CORRECTIONS_ARE_WITHIN,
  run(database, _nowMs, range) {
    const rows = queryRows<CorrectionRow>(database, selectCorrections(range));
    const [sum] = queryRows<{ n: bigint }>(database, countCorrections(range));
    const count = sum?.n ?? 0n;
    return {
      checked: formatCount(count, "correction"),
      faults: limitFaults(rows.flatMap(findCorrectionFaults)),
    };
  },
};

export function findCorrectionFaults(row: CorrectionRow): string[] {
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
