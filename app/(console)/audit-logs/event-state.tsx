"use client";

import { DetailState, Id } from "@/components/object-page/detail-state";
import type { ShownRead } from "@/components/queries/states/read-state";
import { paths } from "@/lib/console/paths";
import type { AuditLog } from "@/lib/contract/operations/audit/audit-logs";
import { EventView } from "./event-view";

/** Shows an event, or the loading or error state of its read. */
export function EventState({ id, read }: { id: string; read: ShownRead<AuditLog> }) {
  return (
    <DetailState
      id={id}
      read={read}
      noun="event"
      list={{ href: paths.auditLogs(), label: "View the audit log" }}
      missing={
        <>
          <Id>{id}</Id> is not in the log, or is older than its retention period.
        </>
      }
    >
      {(event) => <EventView event={event} />}
    </DetailState>
  );
}
