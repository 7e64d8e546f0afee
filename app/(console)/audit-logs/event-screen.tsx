"use client";

import { describeObject } from "@/components/audit-log/describe-event";
import { describeType } from "@/components/audit-log/event-words";
import { useRead } from "@/components/queries/reads/use-read";
import { PageCrumb } from "@/components/shell/top-bar/page-crumb";
import { PageHead } from "@/components/ui/page-head";
import { EventState } from "./event-state";

/** The page of an event. */
export function EventScreen({ id }: { id: string }) {
  const event = useRead("retrieveAuditLog", { audit_log_id: id });
  return (
    <>
      <PageCrumb label={id} />
      <PageHead
        title={event.data ? describeType(event.data.type) : "Event"}
        sentence={event.data && describeObject(event.data)?.name}
      />
      <EventState id={id} read={event} />
    </>
  );
}
