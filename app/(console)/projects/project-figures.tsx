import type { ReactNode } from "react";
import type { useRead } from "@/components/queries/reads/use-read";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { TextLink } from "@/components/ui/links/text-link";
import { Skeleton } from "@/components/ui/states/skeleton";
import { Figure } from "@/components/ui/values/figure";
import { formatCount } from "@/components/ui/values/group-digits";
import { Quantity } from "@/components/ui/values/quantity";
import { RoundedMoney } from "@/components/ui/values/rounded-money";
import type { PeriodStarts } from "@/components/usage/compute-period-starts";
import { paths } from "@/lib/console/paths";
import type { ReadId } from "@/lib/console/reads/reads";
import { parseCheckedAmount } from "@/lib/money/amount";
import { countCalls } from "./project-reads";

/** A read, or false if the person can't see it. */
type Shown<Id extends ReadId> = ReturnType<typeof useRead<Id>> | false;

type ProjectFiguresProps = {
  projectId: string;
  since: PeriodStarts;
  month: Shown<"retrieveRequestHistogram">;
  day: Shown<"retrieveRequestHistogram">;
  members: Shown<"listProjectUsers">;
  keys: Shown<"listProjectApiKeys">;
};

/** A project's costs and contents. Each figure links to its page. */
export function ProjectFigures({ projectId, since, month, day, members, keys }: ProjectFiguresProps) {
  const calls = (from: number) => paths.requests({ project_id: projectId, from: String(from) });
  return (
    <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
      {month && (
        <FigureCard
          label="Spent this month"
          read={month}
          href={calls(since.month)}
          link="View calls"
          note={() => "Calendar month, UTC"}
        >
          {({ is_counted: isCounted, totals, currency }) =>
            isCounted && <RoundedMoney amount={parseCheckedAmount(totals.amount)} currency={currency} />
          }
        </FigureCard>
      )}
      {day && (
        <FigureCard
          label="Calls in the last 24 hours"
          read={day}
          href={paths.requests({ project_id: projectId, range: "24h" })}
          link="View calls"
          note={({ totals }) => `${formatCount(countCalls(totals).refused)} of them refused`}
        >
          {({ is_counted: isCounted, totals }) => isCounted && <Quantity value={countCalls(totals).all} />}
        </FigureCard>
      )}
      {members && (
        <FigureCard
          label="Members with a role here"
          read={members}
          href={paths.project(projectId, { tab: "members" })}
          link="View members"
        >
          {countRows}
        </FigureCard>
      )}
      {keys && (
        <FigureCard label="Keys" read={keys} href={paths.keys(projectId)} link="View keys">
          {countRows}
        </FigureCard>
      )}
    </div>
  );
}

type List = { readonly data: readonly unknown[]; readonly has_more: boolean };

function countRows({ data, has_more: hasMore }: List) {
  return (
    <>
      <Quantity value={data.length} />
      {hasMore && "+"}
    </>
  );
}

type FigureCardProps<Data> = {
  label: string;
  read: { data: Data | undefined; error: unknown; isFetching: boolean; refetch: () => unknown };
  href: string;
  link: string;
  note?: (data: Data) => ReactNode;
  /** Returns false if there is no figure to show. */
  children: (data: Data) => ReactNode;
};

function FigureCard<Data>({ label, read, href, link, note, children }: FigureCardProps<Data>) {
  const { data, error, isFetching, refetch } = read;
  const shown = data !== undefined && children(data);
  return (
    <Card className="grid content-between gap-3">
      <Figure label={label} note={shown && data !== undefined && note?.(data)}>
        {data === undefined ? !error && <Skeleton className="h-6 w-24" /> : shown || "not counted"}
      </Figure>
      {data === undefined && Boolean(error) ? (
        <Button size="small" pending={isFetching} onClick={() => void refetch()}>
          Could not be read: try again
        </Button>
      ) : (
        <TextLink href={href} className="justify-self-start text-sm">
          {link}
        </TextLink>
      )}
    </Card>
  );
}
