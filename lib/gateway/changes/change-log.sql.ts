import { otherEvents } from "@/lib/contract/access/audit-events";
import type { Reads } from "../database/database";
import type { AuditChange } from "./audit/audit-event";
import type { ChangedRow, CommittedChange } from "./table-cache";

/** The source of committed changes: the audit log. */
export type ChangeLog = ReturnType<typeof createChangeLog>;

/** The audit log as the feed of committed changes. */
export function createChangeLog(reads: Reads) {
  return {
    /** The number of the last change; 0 before the first. */
    async lastNumber(): Promise<number> {
      const last = await reads
        .selectFrom("audit_logs")
        .select("seq")
        .orderBy("seq", "desc")
        .limit(1)
        .execute();
      return last[0]?.seq ?? 0;
    },
    /** The changes after that number, oldest first, at most `limit`. */
    async listAfter(number: number, limit: number): Promise<readonly CommittedChange[]> {
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

/** The row that a change of the audit log names. */
export function toTouched({ object, id, subject_id, project_id }: AuditChange): ChangedRow {
  return { table: object, id, subjectId: subject_id, projectId: project_id };
}
