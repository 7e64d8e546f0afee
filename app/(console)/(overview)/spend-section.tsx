"use client";

import { useSearchParams } from "next/navigation";
import { useRead } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { changeAddress } from "@/components/ui/filters/change-address";
import { TextLink } from "@/components/ui/links/text-link";
import { Section } from "@/components/ui/section";
import { Skeleton } from "@/components/ui/states/skeleton";
import { GroupingChoice } from "@/components/usage/grouping-choice";
import { MonthChart } from "@/components/usage/lazy-usage-chart";
import { parseSpendGrouping, spendGroupings, usageReads } from "@/components/usage/usage-reads";
import { writeMonthHeadline } from "@/components/usage/write-headline";
import { paths } from "@/lib/console/paths";

const skeleton = <Skeleton className="mt-6 h-72 w-full" />;

/** This month's spend by day, and by project or model. Renders nothing before the first call. */
export function SpendSection({ openedAt }: { openedAt: number }) {
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
