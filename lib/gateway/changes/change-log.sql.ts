import { otherEvents } from "@/lib/contract/access/audit-events";
import type { Reads } from "../database/database";
import type { AuditChange } from "./audit/audit-event";
import type { ChangeLog } from "./feed";

/** The audit log as the feed of committed changes. */
export function createSqliteChangeLog(reads: Reads): ChangeLog {
  return {
    async lastNumber() {
      const last = await reads
        .selectFrom("audit_logs")
        .select("seq")
        .orderBy("seq", "desc")
        .limit(1)
        .execute();
      return last[0]?.seq ?? 0;
    },
    async listAfter(number, limit) {
      const rows = await reads
        .selectFrom("audit_logs")
        .select(["seq", "type", "changes"])
        .where("seq", ">", number)
        .orderBy("seq")
        .limit(limit)
        .execute();
      return rows.map(({ seq, type, changes }) => ({
        number: seq,
        // Data about older events in a pruning event is not a change.
        touched: type === otherEvents.auditCut ? [] : (JSON.parse(changes) as AuditChange[]).map(toTouched),
      }));
    },
  };
}

function toTouched({ object, id, subject_id, project_id }: AuditChange) {
  return { table: object, id, subjectId: subject_id, projectId: project_id };
}
