"use client";

import { describePerson } from "@/components/audit-log/describe-event";
import { useRead } from "@/components/queries/reads/use-read";
import { TextLink } from "@/components/ui/links/text-link";
import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/time/relative-time";
import { paths } from "@/lib/console/paths";
import type { AuditLog } from "@/lib/contract/operations/audit/audit-logs";
import { findReversal } from "./find-reversal";

/** The latest events of an object, among which a reversal is looked for. */
const HISTORY = "50";

/** Says that an event was set back since, when and by whom. */
export function ReversalNotice({ event }: { event: AuditLog }) {
  const touched = event.changes[0]?.id;
  const history = useRead(
    "listAuditLogs",
    { resource_ids: touched, limit: HISTORY },
    { enabled: touched !== undefined },
  );
  const reversal = findReversal(event, history.data?.data ?? []);
  if (!reversal) return null;
  return (
    <Notice title={`Reverted by ${describePerson(reversal).name}`}>
      <RelativeTime at={reversal.effective_at} withExact />.{" "}
      <TextLink href={paths.auditLog(reversal.id)}>View the event that set it back</TextLink>
    </Notice>
  );
}
