"use client";

import { useRunway } from "@/components/money/use-runway";
import { useRead } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { Card } from "@/components/ui/card";
import { TextLink } from "@/components/ui/links/text-link";
import { Skeleton } from "@/components/ui/states/skeleton";
import { Figure } from "@/components/ui/values/figure";
import { describeSpent, SpentProgress } from "@/components/ui/values/spent-progress";
import { formatShortMoney } from "@/components/ui/values/write-figures";
import { compareMonths, formatMonthName } from "@/components/usage/compare-months";
import { usageReads } from "@/components/usage/usage-reads";
import { paths } from "@/lib/console/paths";
import type { ReadReply } from "@/lib/console/reads/reads";
import type { UsageSummary } from "@/lib/contract/operations/usage/usage-summary";
import { computePercentSpent, formatCents } from "@/lib/money/amount";

const POLL_MS = 30_000;

const skeleton = <Skeleton className="h-32 w-full rounded-md" />;

type MonthFiguresProps = { openedAt: number; sees: { usage: boolean; limit: boolean; balance: boolean } };

/**
 * The cost of this month so far compared with last month and the limit, and how long the balance lasts at that rate.
 */
export function MonthFigures({ openedAt, sees }: MonthFiguresProps) {
  const reads = usageReads(openedAt);
  const month = useRead(...reads.month, { refetchInterval: POLL_MS, enabled: sees.usage });
  const before = useRead(...reads.monthBefore, { enabled: sees.usage }).data;
  if (!sees.usage) return null;
  return (
    <div className="mb-8 grid gap-4 md:grid-cols-3">
      <ReadState read={month} to="see this month’s spend" skeleton={skeleton}>
        {(summary) => <Spent month={summary} before={before} />}
      </ReadState>
      {sees.limit && month.data && <Limit spent={month.data.totals.amount} />}
      {sees.balance && <Lasting openedAt={openedAt} />}
    </div>
  );
}

function Spent({ month, before }: { month: UsageSummary; before: UsageSummary | undefined }) {
  return (
    <Card>
      <Figure label="Spent this month (UTC)" note={before && describeMonths(month, before)}>
        {formatShortMoney(month.totals.amount)} <Currency code={month.currency} />
      </Figure>
    </Card>
  );
}

/** Compares with the same whole days of the previous month. The current day is left out. */
function describeMonths(month: UsageSummary, before: UsageSummary) {
  const whole = `${formatMonthName(before)} ${formatShortMoney(before.totals.amount)}`;
  const comparison = compareMonths(month, before);
  if (!comparison) return whole;
  const { now, before: earlier, text } = comparison;
  return (
    <>
      <span className="block">
        Until yesterday {now}, {text} ({earlier})
      </span>
      <span className="block">{whole} in all</span>
    </>
  );
}

function Limit({ spent }: { spent: string }) {
  const limit = useRead("retrieveSpendLimit");
  return (
    <ReadState read={limit} to="see the spend limit" skeleton={skeleton} missing={<NoLimit />}>
      {(set) => <SpentOfLimit spent={spent} limit={set} />}
    </ReadState>
  );
}

function NoLimit() {
  return (
    <Card>
      <Figure
        label="Spend limit"
        note={
          <TextLink href={paths.spendLimits()} className="text-sm">
            Set a monthly limit
          </TextLink>
        }
      >
        <span className="font-normal text-muted">None</span>
      </Figure>
    </Card>
  );
}

function SpentOfLimit({ spent, limit }: { spent: string; limit: ReadReply<"retrieveSpendLimit"> }) {
  const most = formatCents(limit.threshold_amount);
  const percent = computePercentSpent(spent, most);
  return (
    <Card className="grid content-between gap-3">
      <Figure label="Spend limit" note={describeSpent(percent)}>
        {formatShortMoney(most)} <Currency code={limit.currency} />
      </Figure>
      <SpentProgress percent={percent} />
    </Card>
  );
}

function Lasting({ openedAt }: { openedAt: number }) {
  const lasting = useRunway(openedAt);
  // Errors are shown above.
  if (lasting === undefined) return null;
  if (lasting === null) {
    return (
      <Card>
        <Figure label="Runway" note="Known once calls have been charged in the last 7 days.">
          <span className="font-normal text-muted">Not known yet</span>
        </Figure>
      </Card>
    );
  }
  return (
    <Card>
      <Figure label="Runway" note={lasting.explanation}>
        <span className="text-lg">{lasting.headline}</span>
      </Figure>
    </Card>
  );
}

function Currency({ code }: { code: string }) {
  return <span className="text-[0.8em] font-normal text-muted">{code}</span>;
}
