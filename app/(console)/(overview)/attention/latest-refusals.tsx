"use client";

import { useRead } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { OutcomeChip } from "@/components/requests/outcome-chip";
import { ProjectAndKey } from "@/components/requests/project-and-key";
import { TextLink } from "@/components/ui/links/text-link";
import { Section } from "@/components/ui/section";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import type { Column } from "@/components/ui/table/column";
import { DataTable } from "@/components/ui/table/data-table";
import { RelativeTime } from "@/components/ui/time/relative-time";
import { groupDigits } from "@/components/ui/values/group-digits";
import { Money } from "@/components/ui/values/money";
import { paths } from "@/lib/console/paths";
import type { LoggedRequest } from "@/lib/contract/operations/calls/requests";
import { latestRefusals } from "../overview-reads";

const POLL_MS = 10_000;

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
            columns={columns}
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

const columns: readonly Column<LoggedRequest>[] = [
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
