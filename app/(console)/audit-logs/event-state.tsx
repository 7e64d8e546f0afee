"use client";

import { Undo2 } from "lucide-react";
import { ChangeWords, describeChanges } from "@/components/audit-log/describe-changes";
import { describeObject, describePerson, findActorAddress } from "@/components/audit-log/describe-event";
import { describeType } from "@/components/audit-log/event-words";
import { DetailState, Id } from "@/components/object-page/detail-state";
import { ConfirmedAction } from "@/components/queries/actions/confirmed-action";
import { useRead } from "@/components/queries/reads/use-read";
import type { ShownRead } from "@/components/queries/states/read-state";
import { PageCrumb } from "@/components/shell/top-bar/page-crumb";
import { Button } from "@/components/ui/button";
import { ListDrawer } from "@/components/ui/drawer/list-drawer";
import { Fact, Facts, Part } from "@/components/ui/facts";
import { TextLink } from "@/components/ui/links/text-link";
import { Notice } from "@/components/ui/notice";
import { PageHead } from "@/components/ui/page";
import { CodeBlock } from "@/components/ui/text/code-block";
import { IdChip } from "@/components/ui/text/id-chip";
import { RelativeTime } from "@/components/ui/time/shown-time";
import { paths } from "@/lib/console/paths";
import type { AuditLog } from "@/lib/contract/operations/audit/audit-logs";
import { revert } from "./actions";
import { findReversal } from "./revert/find-reversal";
import { planRevert } from "./revert/plan-revert";

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

/** Shows everything the log has about an event. */
function EventView({ event }: { event: AuditLog }) {
  const described = describeChanges(event.changes);
  return (
    <div className="grid gap-6">
      <ReversalNotice event={event} />
      <Part title="Change">
        {described.length > 0 ? (
          <ul className="divide-y rounded-md border bg-surface">
            {described.map((change, index) => (
              // Keyed by position: an event never changes.
              <li key={index} className="px-3 py-2">
                <ChangeWords change={change} />
              </li>
            ))}
          </ul>
        ) : (
          <p className="text-muted">No field that people set was changed.</p>
        )}
        <div>
          <RevertButton event={event} />
        </div>
      </Part>
      <Part title="Event">
        <EventFacts event={event} />
      </Part>
      <details>
        <summary className="cursor-pointer font-semibold">Raw event</summary>
        <div className="mt-2">
          <CodeBlock code={JSON.stringify(event.changes, null, 2)} />
        </div>
      </details>
    </div>
  );
}

const asOf = (at: number) => paths.configuration({ source: "past", at: String(at) });

function EventFacts({ event }: { event: AuditLog }) {
  const [person, object, address] = [describePerson(event), describeObject(event), findActorAddress(event)];
  const touched = event.changes[0]?.id;
  return (
    <Facts>
      <Fact name="When">
        <RelativeTime at={event.effective_at} withExact />
      </Fact>
      <Fact name="Person">
        <span className="flex flex-wrap gap-x-2">
          <span className="wrap-anywhere">
            {person.name}
            {person.note && <span className="text-muted"> · {person.note}</span>}
          </span>
          {person.id && (
            <TextLink href={paths.auditLogs({ actor_ids: person.id })}>Everything by this person</TextLink>
          )}
        </span>
      </Fact>
      {object && (
        <Fact name="Object">
          <span className="flex flex-wrap gap-x-2">
            {object.href ? <TextLink href={object.href}>{object.name}</TextLink> : <span>{object.name}</span>}
            {touched && (
              <TextLink href={paths.auditLogs({ resource_ids: touched, project_ids: event.project?.id })}>
                Its history
              </TextLink>
            )}
          </span>
        </Fact>
      )}
      <Fact name="Configuration">
        <span className="flex flex-wrap gap-x-2">
          <TextLink href={asOf(event.effective_at)}>After this change</TextLink>
          <TextLink href={asOf(event.effective_at - 1)}>Before it</TextLink>
        </span>
      </Fact>
      <Fact name="From">{address ? <code className="font-mono text-sm">{address}</code> : "Not known"}</Fact>
      <Fact name="Type">
        <code className="font-mono text-sm">{event.type}</code>
      </Fact>
      {event.request_id && (
        <Fact name="Request">
          <IdChip id={event.request_id} what="request id" />
        </Fact>
      )}
      <Fact name="Event">
        <IdChip id={event.id} what="event id" />
      </Fact>
      <Fact name="Hash">
        <IdChip id={event.hash} what="hash" />
      </Fact>
    </Facts>
  );
}

/** The latest events of an object, among which a reversal is looked for. */
const HISTORY = "50";

/** Says that an event was set back since, when and by whom. */
function ReversalNotice({ event }: { event: AuditLog }) {
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

/** Undoes an event with a new change, or says why that isn't possible. */
function RevertButton({ event }: { event: AuditLog }) {
  const plan = planRevert(event);
  if (typeof plan === "string") return <p className="text-sm text-muted">{plan}</p>;
  const object = describeObject(event)?.name ?? "this";
  return (
    <ConfirmedAction
      renderButton={(ask) => (
        <Button size="small" onClick={ask}>
          <Undo2 aria-hidden />
          Revert
        </Button>
      )}
      title={`Revert this change of ${object}?`}
      confirmLabel="Revert change"
      danger={false}
      action={revert}
      input={{ id: event.id }}
      refetch="all"
      done={() => "Reverted by a new event"}
    >
      <ul className="mb-2 grid gap-1 text-foreground">
        {plan.changes.map((change, index) => (
          // Keyed by position: an event never changes.
          <li key={index}>
            <ChangeWords change={change} />
          </li>
        ))}
      </ul>
      This is a new change in your name. It takes effect immediately.
    </ConfirmedAction>
  );
}

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
