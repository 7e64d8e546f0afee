"use client";

import { ReadState } from "@/app/queries/read-state";
import { useRead } from "@/app/queries/use-read";
import { MonthChart } from "@/app/usage-figures/lazy-usage-chart";
import { usageReads } from "@/app/usage-figures/usage-reads";
import { writeMonthHeadline } from "@/app/usage-figures/write-headline";
import { Skeleton } from "@/components/states/skeleton";
import { Section } from "@/components/ui/section";
import { TextLink } from "@/components/ui/text-link";
import { paths } from "@/lib/console/paths";

const room = <Skeleton className="h-72 w-full" />;

/** This month's spend by day and by project. Renders nothing before the first call. */
export function SpendSection({ openedAt }: { openedAt: number }) {
  const reads = usageReads(openedAt);
  const month = useRead(...reads.month);
  const before = useRead(...reads.monthBefore).data;
  // The figure above says why the month could not be read.
  const isFailed = month.error !== null && month.data === undefined;
  if (isFailed || month.data?.totals.requests === 0) return null;
  return (
    <Section
      title={month.data ? writeMonthHeadline(month.data, before) : "Spend"}
      actions={<TextLink href={paths.usage({ range: "30d" })}>Open usage</TextLink>}
    >
      <ReadState read={month} to="see this month’s spend" skeleton={room}>
        {(summary) => (
          <div className="rounded-md border bg-surface p-4">
            <MonthChart month={summary} before={before} />
          </div>
        )}
      </ReadState>
    </Section>
  );
}
