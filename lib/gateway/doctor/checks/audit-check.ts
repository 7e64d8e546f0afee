import type { Database } from "bun:sqlite";
import { type AuditHead, formatAuditHead, verifyAuditChain } from "../../changes/audit/audit-chain.sql";
import { buildAuditTriggers, TABLE_COLUMNS, type TableColumns } from "../../changes/audit/audited-tables.sql";
import { formatCount } from "../format-count";
import { type Check, countRows, findGuardFaults, queryRows, readTriggers } from "./check";

/** The triggers that protect the log from changes. */
const GUARDS = ["audit_logs_are_not_changed", "audit_logs_are_not_deleted", "audit_logs_only_grow"];

/** `knownHead` is a head that was exported earlier: the log must still contain it. */
export const auditCheck = (knownHead?: AuditHead): Check => ({
  title: "I8 the audit log is unbroken",
  run(database) {
    if (countRows(database, "FROM sqlite_master WHERE name = 'audit_logs'") === 0n) {
      return { checked: "no log", faults: ["There is no audit log yet: start Gatehouse once."] };
    }
    const { fault, head } = verifyAuditChain(database, knownHead);
    const chainFault =
      fault && `${fault.message}: somebody wrote to the database by hand. Compare with a backup.`;
    const since = knownHead && !fault ? `, which follows ${formatAuditHead(knownHead)}` : "";
    return {
      checked: `${formatCount(head.length, "event")}, head ${formatAuditHead(head)}${since}`,
      faults: [
        ...(chainFault ? [chainFault] : []),
        ...findGuardFaults(database, GUARDS),
        ...findWatchFaults(database),
      ],
    };
  },
});

/** The triggers that record changes must be present on every audited table. */
function findWatchFaults(database: Database): string[] {
  const present = readTriggers(database);
  return queryRows<TableColumns>(database, TABLE_COLUMNS)
    .flatMap(buildAuditTriggers)
    .flatMap(({ name, sql }) => {
      if (present.get(name) === sql) return [];
      const what = present.has(name) ? "is another than this version of Gatehouse makes" : "is gone";
      return [
        `The trigger ${name} ${what}: changes may have escaped the log. Restart the gateway, or restore a backup.`,
      ];
    });
}
