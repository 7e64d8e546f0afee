"use client";

import type { FiringsRead } from "@/app/(console)/(overview)/overview-reads";
import { latestRefusals } from "@/app/(console)/(overview)/overview-reads";
import { useRead } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { OutcomeChip } from "@/components/requests/outcome-chip";
import { ProjectAndKey } from "@/components/requests/project-and-key";
import { useProjectNames } from "@/components/shell/project/shell-projects";
import { TextLink } from "@/components/ui/links/text-link";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/section";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import type { Column } from "@/components/ui/table/column";
import { DataTable } from "@/components/ui/table/data-table";
import { RelativeTime } from "@/components/ui/time/shown-time";
import { groupDigits } from "@/components/ui/values/group-digits";
import { Money } from "@/components/ui/values/money";
import { paths } from "@/lib/console/paths";
import type { LoggedRequest } from "@/lib/contract/operations/calls/requests";
import type { SpendAlertFiring } from "@/lib/contract/operations/money/spend-alert-firings";

const POLL_MS = 10_000;

/** The spend alerts that fired this month, latest first. Renders nothing if there are none or they can't be read. */
export function FiredAlerts({ read }: { read: FiringsRead }) {
  const firings = useRead(...read, { refetchInterval: POLL_MS }).data;
  if (!firings || firings.data.length === 0) return null;
  const { data, has_more } = firings;
  return (
    <Notice tone="near" title={writeTitle(data.length, has_more)}>
      <ul className="mt-1 grid gap-1">
        {data.map((firing) => (
          <li key={firing.id}>
            <FiredAlert firing={firing} />
          </li>
        ))}
      </ul>
      <TextLink href={paths.balance()} className="mt-2 inline-block">
        View balance
      </TextLink>
    </Notice>
  );
}

function FiredAlert({ firing }: { firing: SpendAlertFiring }) {
  const { project_id, threshold, currency, fired_at, callback } = firing;
  const findName = useProjectNames();
  return (
    <>
      <span className="font-medium wrap-anywhere text-foreground">
        {project_id === null ? "The organization" : (findName(project_id) ?? `Project ${project_id}`)}
      </span>{" "}
      reached <Money amount={threshold} currency={currency} /> <RelativeTime at={fired_at} />
      {callback?.status === "exhausted" && `. Its callback never arrived. ${callback.last_failure}`}
    </>
  );
}

function writeTitle(shown: number, hasMore: boolean): string {
  if (hasMore) return `More than ${shown} spend alerts fired this month`;
  return shown === 1 ? "A spend alert fired this month" : `${shown} spend alerts fired this month`;
}

/** The latest refused calls with the check that refused each. Rows link to receipts. */
export function LatestRefusals() {
  const refusals = useRead(...latestRefusals, { refetchInterval: POLL_MS });
  return (
    <Section
      title="Latest refusals"
      actions={
        refusals.data && (
          <TextLink href={paths.requests({ range: "all", outcome: "refused" })}>View all refusals</TextLink>
        )
      }
    >
      <ReadState read={refusals} to="list the calls" skeleton={<TableSkeleton rows={5} />}>
        {({ data }) => (
          <DataTable
            caption="The latest refusals"
            columns={refusalColumns}
            rows={data}
            rowId={({ id }) => id}
            rowHref={({ id }) => paths.request(id)}
            none="No call was refused."
          />
        )}
      </ReadState>
    </Section>
  );
}

const refusalColumns: readonly Column<LoggedRequest>[] = [
  { id: "when", header: "When", width: "w-28", cell: ({ created_at }) => <RelativeTime at={created_at} /> },
  {
    id: "by",
    header: "Refused by",
    width: "w-40",
    phone: "end",
    cell: (request) => (
      <>
        <OutcomeChip request={request} />
        <Figures of={request} />
      </>
    ),
  },
  {
    id: "whose",
    header: "Project and key",
    cell: (request) => <ProjectAndKey {...request} />,
  },
  {
    id: "model",
    header: "Model",
    cell: ({ model }) => <code className="font-mono text-sm wrap-anywhere">{model}</code>,
  },
];

/** What the call needed of the check that refused it, and what was left: money, or a whole number. */
function Figures({ of: { refused_by, currency, needed, remaining } }: { of: LoggedRequest }) {
  if (needed === null || remaining === null) return null;
  const isMoney = refused_by === "balance" || refused_by === "spend_limit";
  const write = (figure: string) =>
    isMoney ? <Money amount={figure} currency={currency} /> : groupDigits(figure);
  return (
    <span className="block text-xs text-muted tabular-nums">
      needed {write(needed)}, {write(remaining)} left
    </span>
  );
}
