"use client";

import { describeType } from "@/components/audit-log/event-words";
import { useRead } from "@/components/queries/reads/use-read";
import { ListDrawer } from "@/components/ui/drawer/list-drawer";
import { paths } from "@/lib/console/paths";
import { EventState } from "./event-state";

type EventDrawerProps = {
  id: string;
  /** The ids of the list's events, in their order. */
  ids: readonly string[];
  /** Shows another event. "" closes the drawer. */
  show: (id: string) => void;
};

/** Shows an event next to its list. */
export function EventDrawer({ id, ids, show }: EventDrawerProps) {
  const event = useRead("retrieveAuditLog", { audit_log_id: id });
  return (
    <ListDrawer
      id={id}
      ids={ids}
      show={show}
      noun="event"
      href={paths.auditLog(id)}
      title={event.data ? describeType(event.data.type) : "Event"}
    >
      <EventState id={id} read={event} />
    </ListDrawer>
  );
}
