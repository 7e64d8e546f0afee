"use client";

import { CircleAlert, CircleCheck, CircleX } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useRead } from "@/components/queries/reads/use-read";
import { ReadState, type ShownRead } from "@/components/queries/states/read-state";
import { useProjectNames } from "@/components/shell/project/shell-projects";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { TextLink } from "@/components/ui/links/text-link";
import { Section } from "@/components/ui/section";
import { Skeleton } from "@/components/ui/states/skeleton";
import { RelativeTime } from "@/components/ui/time/shown-time";
import { formatCount, groupDigits } from "@/components/ui/values/group-digits";
import { paths } from "@/lib/console/paths";
import { failingHealth, latestRefusals, nearLimits, orphanedKeys, SHOWN_CONCERNS } from "../overview-reads";
import { type Concern, describeOrphaned, findConcerns } from "./find-concerns";

const POLL_MS = 30_000;

/** What the person is allowed to read. At least one of them. */
type NeedsAttentionProps = { sees: { limits: boolean; health: boolean; orphanedKeys: boolean } };

/** Limits that refused calls or nearly did, failing providers, and keys whose makers have left. */
export function NeedsAttention({ sees }: NeedsAttentionProps) {
  const [isWhole, setIsWhole] = useState(false);
  const first = useRead(...nearLimits.first, { enabled: sees.limits, refetchInterval: POLL_MS });
  const isAllFirst = first.data?.has_more === false;
  const all = useRead(...nearLimits.all, {
    enabled: sees.limits && isWhole && !isAllFirst,
    refetchInterval: POLL_MS,
  });
  const health = useRead(...failingHealth, { enabled: sees.health, refetchInterval: POLL_MS });
  const keys = useRead(...orphanedKeys, { enabled: sees.orphanedKeys, refetchInterval: POLL_MS });
  const projectNames = useProjectNames();
  const reads: readonly WantedRead[] = [
    ...(sees.limits ? [{ read: first, to: "see the usage of rate limits" }] : []),
    ...(sees.health ? [{ read: health, to: "see the health of models and providers" }] : []),
    ...(sees.orphanedKeys ? [{ read: keys, to: "list the keys created by people who left" }] : []),
  ];
  const limits = (isWhole && all.data) || first.data;
  const concerns = [
    ...findConcerns(limits?.data ?? [], health.data, (id) => projectNames(id) ?? id),
    ...describeOrphaned(keys.data),
  ];
  const unlisted = limits ? limits.total - limits.data.length : 0;
  return (
    <Section title="Needs attention">
      <AnyRead reads={reads} to="see what needs attention">
        <ConcernList
          concerns={concerns}
          count={concerns.length + unlisted}
          isWhole={isWhole}
          setIsWhole={setIsWhole}
          none={describeNoConcern({
            hasLimits: first.data !== undefined,
            hasHealth: health.data !== undefined,
          })}
        >
          {isWhole && unlisted > 0 && (
            <ReadState read={all} to="list all limits" skeleton={<Skeleton className="m-4 h-40" />}>
              {() => <UnlistedLimits count={unlisted} />}
            </ReadState>
          )}
        </ConcernList>
      </AnyRead>
    </Section>
  );
}

type WantedRead = { read: ShownRead<unknown> & { isPending: boolean; errorUpdateCount: number }; to: string };

/** Shows its children once all reads have ended and one has data, below the states of those that failed. */
function AnyRead({
  reads,
  to,
  children,
}: {
  reads: readonly WantedRead[];
  /** What the person wants to do, if every read fails. */
  to: string;
  children: ReactNode;
}) {
  const skeleton = <Skeleton className="h-72 w-full rounded-md" />;
  const isFirstTry = ({ read }: WantedRead) => read.isPending && read.errorUpdateCount === 0;
  if (reads.some(isFirstTry)) return skeleton;
  const [first, ...others] = reads;
  const isNothingRead = reads.every(({ read }) => read.data === undefined);
  if (first && (isNothingRead || others.length === 0)) {
    return (
      <ReadState read={first.read} to={to} skeleton={skeleton}>
        {() => children}
      </ReadState>
    );
  }
  return (
    <div className="grid gap-4">
      {reads.map((each) => (
        <ReadState key={each.to} {...each} skeleton={skeleton}>
          {() => null}
        </ReadState>
      ))}
      {children}
    </div>
  );
}

/** Names only what was read. */
function describeNoConcern({ hasLimits, hasHealth }: { hasLimits: boolean; hasHealth: boolean }): string {
  const parts = [hasLimits && "no limit was nearly used up", hasHealth && "no model failed often"];
  return `Nothing: ${parts.filter((part) => part !== false).join(" and ")} in the last 24 hours.`;
}

/** Says where the limits are that are too many to list here. */
function UnlistedLimits({ count }: { count: number }) {
  return (
    <p className="border-t px-4 py-2.5 text-sm text-muted">
      {count === 1 ? "1 more limit is" : `${formatCount(count)} more limits are`} under{" "}
      <TextLink href={paths.rateLimits()}>Rate limits</TextLink>.
    </p>
  );
}

interface ConcernListProps {
  concerns: readonly Concern[];
  /** With those that are not read yet. */
  count: number;
  none: string;
  isWhole: boolean;
  setIsWhole: (isWhole: boolean) => void;
  /** Below the list. */
  children: ReactNode;
}

function ConcernList({ concerns, count, none, isWhole, setIsWhole, children }: ConcernListProps) {
  const further = count - SHOWN_CONCERNS;
  if (concerns.length === 0) {
    return (
      <Card className="flex gap-2.5 text-sm text-muted">
        <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-success" />
        {none}
      </Card>
    );
  }
  return (
    <Card flush>
      <ul className="divide-y">
        {concerns.slice(0, isWhole ? undefined : SHOWN_CONCERNS).map((concern) => (
          <ConcernRow key={concern.id} concern={concern} />
        ))}
      </ul>
      {children}
      {further > 0 && (
        <div className="border-t px-2 py-1.5">
          <Button size="small" variant="ghost" aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
            {isWhole ? "Show fewer" : `Show ${further} more`}
          </Button>
        </div>
      )}
    </Card>
  );
}

/** The latest of the refused calls by its key, if it is among the latest refusals, which their own section reads. */
function LatestOf({ refused, max }: { refused: NonNullable<Concern["refused"]>; max: number | null }) {
  const latest = useRead(...latestRefusals, { enabled: false }).data?.data.find(
    ({ project_id, model, refused_by }) =>
      project_id === refused.project_id && model === refused.model && refused_by === refused.refused_by,
  );
  if (!latest) return null;
  const isOther = (latest.limit ?? null) !== null && latest.limit !== String(max);
  return (
    <p className="text-muted">
      Latest:{" "}
      <TextLink className="underline" href={paths.request(latest.id)}>
        {latest.key_name ?? latest.key_id}
      </TextLink>
      {", "}
      <RelativeTime at={latest.created_at} />
      {isOther && `, when the limit was ${groupDigits(latest.limit ?? "")}`}
    </p>
  );
}

function ConcernRow({
  concern: { tone, title, detail, links, share, refused, max = null },
}: {
  concern: Concern;
}) {
  const Icon = tone === "bad" ? CircleX : CircleAlert;
  return (
    <li className="flex gap-2.5 px-4 py-2.5 text-sm">
      <Icon
        aria-hidden
        className={`mt-0.5 size-4 shrink-0 ${tone === "bad" ? "text-danger" : "text-warning"}`}
      />
      <div className="min-w-0 wrap-anywhere">
        <p className="font-medium">{title}</p>
        <p className="text-muted">{detail}</p>
        {refused && <LatestOf refused={refused} max={max} />}
        <p className="flex flex-wrap gap-x-3">
          {links.map(({ label, href }) => (
            <TextLink key={label} href={href}>
              {label}
              <span className="sr-only">: {title}</span>
            </TextLink>
          ))}
        </p>
        {share !== undefined && (
          <span aria-hidden className="mt-1.5 block h-1 overflow-hidden rounded-full bg-default">
            <span
              className="block h-full rounded-full bg-warning forced-color-adjust-none"
              style={{ width: `${share * 100}%` }}
            />
          </span>
        )}
      </div>
    </li>
  );
}
