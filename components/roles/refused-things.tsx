import { KeyRound, UserRound } from "lucide-react";
import type { ReactNode } from "react";
import { describeType } from "@/components/audit-log/event-words";
import { ConsoleLink } from "@/components/ui/links/console-link";
import { RelativeTime } from "@/components/ui/time/shown-time";
import { formatCount } from "@/components/ui/values/group-digits";
import { Quantity } from "@/components/ui/values/quantity";
import { paths } from "@/lib/console/paths";
import type { RolePreview } from "@/lib/contract/operations/people/roles";
import { EffectSection } from "./effect-section";

type Refused = RolePreview["refused"];

/** What people and keys did in the last days and could not do again, from the audit log and the log of calls. */
export function RefusedThings({ refused }: { refused: Refused }) {
  const { changes, calls, days } = refused;
  const total = countRefused(refused);
  const latest = changes?.toSorted((one, other) => other.last_at - one.last_at)[0];
  return (
    <EffectSection
      title="Would have been refused"
      count={total === null ? "not shown" : formatCount(total)}
      tone={total ? "near" : undefined}
    >
      <ul>
        {changes?.map(({ actor, event_type, project_id, times }) => (
          <RefusedRow key={`${actor.id} ${event_type} ${project_id}`} actor={actor} times={times}>
            {lowerFirst(describeType(event_type))}
          </RefusedRow>
        ))}
        {calls?.map(({ actor, project_id, calls: times }) => (
          <RefusedRow key={`${actor.id} ${project_id}`} actor={actor} times={times}>
            called models
          </RefusedRow>
        ))}
      </ul>
      {latest && (
        <p className="pl-7.5 text-xs text-muted">
          Last:{" "}
          <ConsoleLink href={paths.auditLog(latest.last_audit_log_id)} className="underline">
            {lowerFirst(describeType(latest.event_type))}
          </ConsoleLink>{" "}
          <RelativeTime at={latest.last_at} />
        </p>
      )}
      <p className="text-xs text-pretty text-muted">{describeBasis(refused, total, days)}</p>
    </EffectSection>
  );
}

/** How many things would have been refused; null if the person may see neither log. */
export function countRefused({ changes, calls }: Refused): number | null {
  if (changes === null && calls === null) return null;
  const changed = (changes ?? []).reduce((sum, { times }) => sum + times, 0);
  return changed + (calls ?? []).reduce((sum, { calls: made }) => sum + made, 0);
}

/** Names the sources of the figures, and what they can't show. */
function describeBasis({ changes, calls }: Refused, total: number | null, days: number): string {
  if (total === null) return "To see this, you need to read the audit log or the calls.";
  const found = total === 0 ? `Nothing in the last ${days} days. ` : `In the last ${days} days. `;
  const missing =
    changes === null
      ? "You don’t see the audit log, so changes aren’t counted. "
      : calls === null
        ? "You don’t see the calls, so they aren’t counted. "
        : "";
  return `${found}${missing}Reads aren’t recorded, so they aren’t counted.`;
}

type RefusedRowProps = {
  actor: NonNullable<Refused["calls"]>[number]["actor"];
  times: number;
  children: ReactNode;
};

function RefusedRow({ actor: { type, name }, times, children }: RefusedRowProps) {
  const Icon = type === "user" ? UserRound : KeyRound;
  return (
    <li className="grid grid-cols-[1.375rem_minmax(0,1fr)_auto] items-center gap-2 py-0.5 text-sm">
      <span className="grid size-5.5 place-items-center rounded-full bg-default text-muted">
        <Icon aria-hidden className="size-3" />
      </span>
      <span className="truncate">
        {name} <span className="text-muted">{children}</span>
      </span>
      <Quantity value={times} />
    </li>
  );
}

const lowerFirst = (text: string) => `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
