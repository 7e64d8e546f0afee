import { ChangeWords } from "@/components/audit-log/change-words";
import { describeChanges } from "@/components/audit-log/describe-changes";
import { describeObject, describePerson, findActorAddress } from "@/components/audit-log/describe-event";
import { Fact, Facts, Part } from "@/components/ui/facts";
import { TextLink } from "@/components/ui/links/text-link";
import { CodeBlock } from "@/components/ui/text/code-block";
import { IdChip } from "@/components/ui/text/id-chip";
import { RelativeTime } from "@/components/ui/time/relative-time";
import { paths } from "@/lib/console/paths";
import type { AuditLog } from "@/lib/contract/operations/audit/audit-logs";
import { ReversalNotice } from "./revert/reversal-notice";
import { RevertButton } from "./revert/revert-button";

/** Shows everything the log has about an event. */
export function EventView({ event }: { event: AuditLog }) {
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
            <TextLink href={paths.auditLogs({ actor_ids: person.id })}>All by this person</TextLink>
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
          <TextLink href={asOf(event.effective_at)}>As of this</TextLink>
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
