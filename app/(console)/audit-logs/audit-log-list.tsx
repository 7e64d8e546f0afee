"use client";

import { History } from "lucide-react";
import { auditLogParameters, filterNames, inShort } from "@/components/audit-log/audit-log-filter";
import { useReadRows } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { useOpenRow } from "@/components/ui/drawer/use-open-row";
import { useAddressFilter } from "@/components/ui/filters/use-address-filter";
import { EmptyState } from "@/components/ui/states/empty-state";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import { PagedTable } from "@/components/ui/table/paged-table";
import { paths } from "@/lib/console/paths";
import { auditLogColumns } from "./audit-log-columns";

// Not rendered on the server, which can't show modal dialogs. The address may open it at once.
const EventDrawer = loadOnClient(
  () => import("./event-drawer").then((file) => file.EventDrawer),
  ({ show }) => show(""),
);

/** Events, newest first. */
export function AuditLogList({ openedAt }: { openedAt: number }) {
  const { parameters } = useAddressFilter(filterNames, auditLogParameters, openedAt);
  const [open, setOpen] = useOpenRow();
  const events = useReadRows("listAuditLogs", inShort(parameters));
  return (
    <>
      <ReadState
        read={events}
        to="see the audit log"
        skeleton={<TableSkeleton rows={12} columns={5} />}
        empty={
          <EmptyState icon={History} title="No event fits these filters">
            Remove a filter, or choose a longer period.
          </EmptyState>
        }
      >
        {(rows) => (
          <PagedTable
            read={events}
            noun="event"
            open={setOpen}
            caption="Changes, newest first"
            columns={auditLogColumns}
            rows={rows}
            openId={open}
            rowId={({ id }) => id}
            rowHref={({ id }) => paths.auditLog(id)}
          />
        )}
      </ReadState>
      {open && <EventDrawer id={open} ids={(events.data ?? []).map(({ id }) => id)} show={setOpen} />}
    </>
  );
}
