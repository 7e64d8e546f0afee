import { type AuditHead, formatAuditHead } from "@/lib/gateway/audit/audit-head";
import { verifyAuditChain } from "@/lib/gateway/audit/verify-audit-chain";
import { type Check, rowsOf } from "./check";

/** What keeps the log from being changed, and what every change of an audited table has to pass. */
const GUARDS = ["audit_logs_are_not_changed", "audit_logs_are_not_deleted", "audit_logs_only_grow"];
const WATCH = /^(\w+)_audit_(insert|update|delete)$/;

/** `known` is a head that was exported earlier: the log must still hold it. */
export const auditCheck = (known?: AuditHead): Check => ({
  title: "I8 the audit log is unbroken",
  run(database) {
    const triggers = rowsOf<{ name: string }>(
      database,
      "SELECT name FROM sqlite_master WHERE type = 'trigger'",
    );
    const names = new Set(triggers.map(({ name }) => name));
    if (GUARDS.every((guard) => !names.has(guard))) {
      return { looked: "no log", faults: ["There is no audit log yet: start Gatehouse once."] };
    }
    const { fault, head } = verifyAuditChain(database, known);
    const broken =
      fault && `${fault.message}: somebody wrote to the database by hand. Compare with a backup.`;
    const since = known && !fault ? `, which follows ${formatAuditHead(known)}` : "";
    const watched = [...names].flatMap((name) => WATCH.exec(name)?.[1] ?? []);
    const wanted = [
      ...GUARDS,
      ...[...new Set(watched)].flatMap((table) =>
        ["insert", "update", "delete"].map((on) => `${table}_audit_${on}`),
      ),
    ];
    const gone = wanted
      .filter((name) => !names.has(name))
      .map(
        (name) =>
          `The trigger ${name} is gone: changes may have escaped the log. Restart the gateway, or restore a backup.`,
      );
    return {
      looked: `${head.length} events, head ${formatAuditHead(head)}${since}`,
      faults: [...(broken ? [broken] : []), ...gone],
    };
  },
});
