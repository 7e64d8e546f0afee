"use client";

import { CircleCheck, CircleDashed, ShieldQuestionMark } from "lucide-react";
import { useSearchParams } from "next/navigation";
import { type ReactNode, useState } from "react";
import { WaitingRequests } from "@/components/access-requests/waiting-requests";
import { ChangeWords, describeChanges } from "@/components/audit-log/describe-changes";
import { describeObject, describePerson } from "@/components/audit-log/describe-event";
import { describeType } from "@/components/audit-log/event-words";
import { entryColumns, entryKinds } from "@/components/money/ledger-entry-columns";
import { NoProject } from "@/components/object-page/no-project";
import { useRead } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { useIsPainted } from "@/components/ui/browser/use-is-painted";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { changeAddress } from "@/components/ui/filters/use-address-filter";
import { LinkButton } from "@/components/ui/links/link-button";
import { TextLink } from "@/components/ui/links/text-link";
import { Section } from "@/components/ui/section";
import { EmptyState } from "@/components/ui/states/empty-state";
import { Skeleton, TableSkeleton } from "@/components/ui/states/skeleton";
import type { Column } from "@/components/ui/table/column";
import { DataTable } from "@/components/ui/table/data-table";
import { RelativeTime } from "@/components/ui/time/shown-time";
import { GroupingChoice } from "@/components/usage/grouping-choice";
import { MonthChart } from "@/components/usage/lazy-usage-chart";
import { parseSpendGrouping, spendGroupings, usageReads } from "@/components/usage/usage-reads";
import { writeMonthHeadline } from "@/components/usage/write-headline";
import { paths } from "@/lib/console/paths";
import type { AuditLog } from "@/lib/contract/operations/audit/audit-logs";
import type { LedgerEntry } from "@/lib/contract/operations/money/balance";
import { LatestRefusals } from "./attention/fired-alerts";
import { NeedsAttention } from "./attention/needs-attention";
import { BalancePanel } from "./balance/balance-panel";
import { BaseAddress } from "./base-address";
import { SpendAndRequests } from "./figures/spend-and-requests";
import { exampleModels, latestChanges, latestEntries, STEPS_COOKIE, stepReads } from "./overview-reads";

export type OverviewRights = Readonly<
  Record<
    | "balance"
    | "ledger"
    | "usage"
    | "requests"
    | "changes"
    | "limit"
    | "rateLimits"
    | "health"
    | "orphanedKeys"
    | "answers",
    boolean
  >
>;

type OverviewProps = {
  projectId: string | null;
  hasNoProject: boolean;
  /** True if the person holds no permission anywhere. */
  hasNoRole: boolean;
  baseUrl: string;
  /** What the person is allowed to read. */
  sees: OverviewRights;
  steps: OwnSteps;
  /** False for somebody who dismissed them. */
  showsSteps: boolean;
  /** Unix seconds. */
  openedAt: number;
  /** Shown above everything else. */
  children?: ReactNode;
};

/** Each section fails alone: one that can't be read shows its error without affecting the others. */
export function Overview(props: OverviewProps) {
  const { projectId, hasNoProject, hasNoRole, baseUrl, sees, steps, showsSteps, openedAt, children } = props;
  // Below what a window shows at first.
  const isPainted = useIsPainted();
  const concerns = { limits: sees.rateLimits, health: sees.health, orphanedKeys: sees.orphanedKeys };
  const seesConcerns = Object.values(concerns).includes(true);
  return (
    <div className="grid gap-8">
      {children}
      {sees.answers && <WaitingRequests />}
      {hasNoRole && (
        <EmptyState icon={ShieldQuestionMark} title="You have no role">
          Without one you see only your own usage. Ask someone with the Owner or Admin role for one, in the
          organization or in a project, then reload this page.
        </EmptyState>
      )}
      {hasNoProject && (
        <NoProject>Keys and rate limits belong to a project, so a project is the first step.</NoProject>
      )}
      {projectId && showsSteps && <FirstSteps key={projectId} projectId={projectId} own={steps} />}
      {(sees.balance || sees.usage) && (
        <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
          {sees.balance && <BalancePanel openedAt={openedAt} seesHistory={sees.usage && sees.ledger} />}
          {sees.usage && <SpendAndRequests openedAt={openedAt} seesLimit={sees.limit} />}
        </div>
      )}
      {(sees.usage || seesConcerns) && (
        <div className="grid items-start gap-8 xl:grid-cols-[2fr_1fr] xl:[&>:only-child]:col-span-2">
          {sees.usage && <SpendSection openedAt={openedAt} />}
          {seesConcerns && <NeedsAttention sees={concerns} />}
        </div>
      )}
      {isPainted ? (
        <>
          {(sees.requests || sees.changes) && (
            <div
              className={
                sees.requests && sees.changes ? "grid items-start gap-8 xl:grid-cols-[2fr_1fr]" : undefined
              }
            >
              {sees.requests && <LatestRefusals />}
              {sees.changes && <LatestChanges />}
            </div>
          )}
          {sees.ledger && <LatestEntries />}
          <FirstCall baseUrl={baseUrl} />
        </>
      ) : (
        <div className="h-224" />
      )}
    </div>
  );
}

const skeleton = <Skeleton className="mt-6 h-72 w-full" />;

/** This month's spend by day, and by project or model. Renders nothing before the first call. */
function SpendSection({ openedAt }: { openedAt: number }) {
  const reads = usageReads(openedAt);
  const grouping = parseSpendGrouping(useSearchParams().get("by") ?? "");
  const byProject = useRead(...reads.month);
  const month = useRead(...reads.monthByDay(grouping));
  const before = useRead(...reads.monthBefore).data;
  const chosen = grouping === spendGroupings[0] ? undefined : grouping;
  // The figure above says why the month could not be read.
  const isFailed = byProject.error !== null && byProject.data === undefined;
  if (isFailed || byProject.data?.totals.requests === 0) return null;
  return (
    <Section
      title={month.data ? writeMonthHeadline(month.data, before) : "Spend"}
      actions={<TextLink href={paths.usage({ range: "30d", group_by: chosen })}>Open usage</TextLink>}
    >
      <div className="rounded-md border bg-surface p-4">
        {/* Beside the unit of the chart. */}
        <div className="-mt-2 -mb-4 flex justify-end">
          <GroupingChoice
            value={grouping}
            choices={spendGroupings}
            choose={(next) => changeAddress({ by: next === spendGroupings[0] ? undefined : next })}
          />
        </div>
        <ReadState read={month} to="see this month’s spend" skeleton={skeleton}>
          {(summary) => <MonthChart month={summary} before={before} />}
        </ReadState>
      </div>
    </Section>
  );
}

const POLL_MS = 10_000;

/** The latest ledger entries, updated live. */
function LatestEntries() {
  const ledger = useRead(...latestEntries, { refetchInterval: POLL_MS });
  return (
    <Section
      title="Latest ledger entries"
      actions={ledger.data && <TextLink href={paths.balance()}>View all entries</TextLink>}
    >
      <ReadState read={ledger} to="list the ledger" skeleton={<TableSkeleton rows={5} />}>
        {({ data }) => (
          <DataTable
            caption="The latest ledger entries"
            columns={buildColumns(data[0]?.currency)}
            rows={data}
            rowId={({ id }) => id}
            none="No money has moved yet."
          />
        )}
      </ReadState>
    </Section>
  );
}

function buildColumns(currency: string | undefined): readonly Column<LedgerEntry>[] {
  return [
    {
      id: "kind",
      header: "Entry",
      width: "w-44",
      cell: ({ kind }) => <span className="font-medium">{entryKinds[kind]}</span>,
    },
    ...Object.values(entryColumns(currency)),
  ];
}

/** The steps that the person is allowed to take. */
type OwnSteps = Readonly<Record<"key" | "limit" | "call", boolean>>;

type Step = {
  name: string;
  /** Steps of others are left out: their pages would only refuse. */
  isOwn: boolean;
  why: string;
  href: string;
  /** Undefined if unknown. The step is then left out. */
  isDone: boolean | undefined;
};

const YEAR_S = 31_536_000;

/** The steps to an organization's first answer, and which are done. Gone once there was one, or if dismissed. */
function FirstSteps({ projectId, own }: { projectId: string; own: OwnSteps }) {
  const [isDismissed, setIsDismissed] = useState(false);
  const { keys, limits, charges } = stepReads(projectId);
  const key = useRead(...keys).data;
  const limit = useRead(...limits).data;
  const charge = useRead(...charges).data;
  const steps: Step[] = [
    {
      name: "Create a key",
      isOwn: own.key,
      why: "A program sends it with every call.",
      href: paths.keys(projectId),
      isDone: key && key.data.length > 0,
    },
    {
      name: "Set a limit",
      isOwn: own.limit,
      why: "Each model starts with its own defaults.",
      href: paths.rateLimits(projectId),
      isDone: limit && limit.data.length > 0,
    },
    {
      name: "Make the first call",
      isOwn: own.call,
      why: "From a program, or in the playground.",
      href: paths.playground(projectId),
      isDone: charge && charge.data.length > 0,
    },
  ];
  const known = steps.filter(({ isOwn, isDone }) => isOwn && isDone !== undefined);
  const next = known.find(({ isDone }) => !isDone);
  if (!next || isDismissed || (charge && charge.data.length > 0)) return null;
  const dismiss = () => {
    document.cookie = `${STEPS_COOKIE}=dismissed; path=/; max-age=${YEAR_S}; samesite=lax`;
    setIsDismissed(true);
  };
  return (
    <Section
      title="First steps"
      actions={
        <Button size="small" variant="ghost" onClick={dismiss}>
          Dismiss
        </Button>
      }
    >
      <Card flush>
        <ol className="grid sm:grid-flow-col sm:auto-cols-fr sm:divide-x max-sm:divide-y">
          {known.map((step) => (
            <StepItem key={step.name} step={step}>
              {step === next && (
                <LinkButton variant="primary" href={step.href}>
                  {step.name}
                </LinkButton>
              )}
            </StepItem>
          ))}
        </ol>
      </Card>
    </Section>
  );
}

function StepItem({ step: { name, why, isDone }, children }: { step: Step; children: ReactNode }) {
  const Icon = isDone ? CircleCheck : CircleDashed;
  return (
    <li className="flex gap-3 p-4">
      <Icon aria-hidden className={isDone ? "size-5 shrink-0 text-success" : "size-5 shrink-0 text-muted"} />
      <div className="grid content-start justify-items-start gap-1">
        <p className="font-medium">
          {name}
          <span className="sr-only">{isDone ? ": done" : ": to do"}</span>
        </p>
        <p className="text-sm text-muted">{isDone ? "Done." : why}</p>
        {children && <div className="mt-2">{children}</div>}
      </div>
    </li>
  );
}

/** The base address, with an example call of the first model that isn't the sandbox's, if there is one. */
export function FirstCall({ baseUrl }: { baseUrl: string }) {
  const [real, any] = [useRead(...exampleModels.real), useRead(...exampleModels.any)];
  const isRead = !real.isPending && !any.isPending;
  // An unread list of real models leaves open whether there are any.
  const model = real.data?.data[0] ?? (real.data && any.data?.data[0]);
  return <BaseAddress baseUrl={baseUrl} model={isRead ? (model?.id ?? null) : undefined} />;
}

const CHANGES_POLL_MS = 30_000;
const SHOWN_FIELDS = 2;

/** The latest changes, without sign-ins, which only the audit log shows. */
function LatestChanges() {
  const changes = useRead(...latestChanges, { refetchInterval: CHANGES_POLL_MS });
  return (
    <Section
      title="Recent changes"
      actions={changes.data && <TextLink href={paths.auditLogs()}>Audit log</TextLink>}
    >
      <ReadState read={changes} to="list changes" skeleton={<TableSkeleton rows={5} columns={2} />}>
        {({ data }) => (
          <Card flush>
            <ul className="divide-y">
              {data.map((event) => (
                <Change key={event.id} event={event} />
              ))}
            </ul>
            {data.length === 0 && <p className="px-4 py-8 text-center text-muted">No changes yet.</p>}
          </Card>
        )}
      </ReadState>
    </Section>
  );
}

function Change({ event }: { event: AuditLog }) {
  const object = describeObject(event);
  // What was created or deleted is named; only a change needs both of its values.
  const isChange = event.changes.every(
    ({ before, default_before, after }) => (before ?? default_before) !== null && after !== null,
  );
  const changes = isChange ? describeChanges(event.changes) : [];
  return (
    <li className="px-4 py-2.5 text-sm">
      <TextLink href={paths.auditLog(event.id)} className="line-clamp-2 font-medium wrap-anywhere">
        {describeType(event.type)}
        {object && `: ${object.name}`}
      </TextLink>
      {changes.length > 0 && (
        <p className="wrap-anywhere">
          {changes.slice(0, SHOWN_FIELDS).map((change) => (
            <span key={change.label} className="block">
              <ChangeWords change={change} />
            </span>
          ))}
          {changes.length > SHOWN_FIELDS && (
            <span className="text-muted">
              and {changes.length - SHOWN_FIELDS}
              {event.more_changes ? "+" : ""} more
            </span>
          )}
        </p>
      )}
      <p className="text-muted wrap-anywhere">
        {describePerson(event).name} · <RelativeTime at={event.effective_at} />
      </p>
    </li>
  );
}
