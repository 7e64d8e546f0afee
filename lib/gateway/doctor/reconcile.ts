import type { Database } from "bun:sqlite";
import { toNano } from "@/lib/money/amount";
import { chargeBases } from "../ledger/funds";
import type { Reconciliation, ReconciliationCheck } from "../ledger/reconciliation";
import {
  findPointAfter,
  LEDGER_START,
  type LedgerPoint,
  readCheckpoint,
  writeCheckpoint,
} from "../ledger/writer/ledger-checkpoint.sql";
import { isBusy } from "../log/sums/claim-sums.sql";
import { chainCheck, type KeptHead } from "./checks/audit-checks";
import { callChecks, holdChecks } from "./checks/call-checks";
import { type Check, type LedgerRange, limitFaults, readLastSeq, runSafely } from "./checks/check";
import { correctionCheck, ledgerChecks } from "./checks/ledger-checks";
import { statementCheck } from "./checks/statement-check";

/** Entries per step: a few tenths of a second, during which the store's log can't be truncated. */
const BATCH_SIZE = 50_000;

interface ReconcileOptions {
  readonly nowMs: number;
  /** Whether to start at the first entry instead of where the last proof ended. */
  readonly isWhole: boolean;
  /** The head that is stored beside the database. */
  readonly keptHead: KeptHead;
  readonly batchSize?: number;
  /** @returns whether to continue. */
  progress?(verified: number, entries: number): boolean;
}

/**
 * Proves the books with doctor's checks. If no fault is found, the next proof starts after this one's last entry;
 * faults are found again each time. The connection must return safe integers and be writable.
 */
export function reconcile(sqlite: Database, options: ReconcileOptions): Omit<Reconciliation, "tookMs"> {
  const { nowMs, isWhole, keptHead: kept, batchSize = BATCH_SIZE, progress } = options;
  const checks = [
    ...ledgerChecks,
    chainCheck(kept),
    ...callChecks,
    ...holdChecks,
    statementCheck,
    correctionCheck,
  ];
  const results = new Map<Check, { checked: string; faults: string[] }>();
  const checkRange = (range: LedgerRange) => {
    for (const check of checks) {
      const { checked, faults } = runSafely(check, sqlite, nowMs, range);
      results.set(check, { checked, faults: [...(results.get(check)?.faults ?? []), ...faults] });
    }
  };
  const isSound = () => [...results.values()].every(({ faults }) => faults.length === 0);
  const first = isWhole ? LEDGER_START : readCheckpoint(sqlite);
  let point = first;
  const step = sqlite.transaction((): boolean => {
    const last = BigInt(readLastSeq(sqlite));
    const next = last - point.seq > BigInt(batchSize) ? findPointAfter(sqlite, point, batchSize) : null;
    checkRange({ from: point, to: next?.seq ?? last });
    point = next ?? findPointAfter(sqlite, point, Number(last - point.seq)) ?? point;
    const goesOn = progress?.(Number(point.seq), Number(last)) ?? true;
    return goesOn && next !== null;
  });
  let hasMore = true;
  while (hasMore) {
    hasMore = step();
    if (isSound()) storePoint(sqlite, point);
  }
  return {
    startedAtMs: nowMs,
    entries: Number(point.seq),
    entriesBefore: Number(first.seq),
    checks: checks.map((check) => describeCheck(check.title, results.get(check))).toSorted(byNumber),
    charged: chargeBases.map((basis) => ({
      basis,
      calls: Number(point.charges[basis].calls),
      amount: toNano(point.charges[basis].amount),
    })),
    variance: toNano(-point.accounts.provider_variance),
  };
}

/** Skips saving while the ledger's writer is busy; the next proof saves its own. */
function storePoint(sqlite: Database, point: LedgerPoint): void {
  try {
    writeCheckpoint(sqlite, point);
  } catch (error) {
    if (!isBusy(error)) throw error;
  }
}

export const byNumber = ({ id: one }: ReconciliationCheck, { id: other }: ReconciliationCheck) =>
  Number(one.slice(1)) - Number(other.slice(1));

/** @param title with the invariant's number, such as "I1 debits equal credits". */
export function describeCheck(
  title: string,
  result: { readonly checked: string; readonly faults: readonly string[] } | undefined,
): ReconciliationCheck {
  const [id = "", ...words] = title.split(" ");
  return {
    id,
    title: words.join(" "),
    checked: result?.checked ?? "",
    faults: limitFaults(result?.faults ?? []),
  };
}
