"use client";

import { useRead } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { Card } from "@/components/ui/card";
import { assignColors } from "@/components/ui/chart/chart-series";
import { type RankedBar, RankedBars } from "@/components/ui/chart/ranked-bars";
import { TextLink } from "@/components/ui/links/text-link";
import { Section } from "@/components/ui/section";
import { Skeleton } from "@/components/ui/states/skeleton";
import { countNouns } from "@/components/ui/values/group-digits";
import { formatShortMoney } from "@/components/ui/values/write-figures";
import { labelGroup } from "@/components/usage/build-series";
import { startOfMonth } from "@/components/usage/start-of-month";
import { type SpendDimension, spendDimensions, usageReads } from "@/components/usage/usage-reads";
import { paths } from "@/lib/console/paths";
import type { UsageDimension, UsageSummary } from "@/lib/contract/operations/usage/usage-summary";
import { formatAmount, type Nano, parseCheckedAmount, toNano, ZERO } from "@/lib/money/amount";

const titles = {
  project_id: "By project",
  model: "By model",
  api_key_id: "By key",
  user_id: "By member",
} as const satisfies Record<SpendDimension, string>;

const MAX_SHOWN = 5;

/** This month's spend, broken down in four ways. Renders nothing before the first call. */
export function SpendBy({ openedAt }: { openedAt: number }) {
  const month = useRead(...usageReads(openedAt).month);
  if (month.data?.totals.requests === 0) return null;
  return (
    <Section
      title="Where this month’s money went"
      actions={<TextLink href={paths.usage({ from: String(startOfMonth(openedAt)) })}>Open usage</TextLink>}
    >
      <div className="grid gap-4 md:grid-cols-2">
        {spendDimensions.map((by) => (
          <Dimension key={by} by={by} title={titles[by]} openedAt={openedAt} />
        ))}
      </div>
    </Section>
  );
}

function Dimension({ by, title, openedAt }: { by: UsageDimension; title: string; openedAt: number }) {
  const read = useRead(...usageReads(openedAt).monthBy(by));
  return (
    <Card className="grid content-start gap-3">
      <h3 className="font-semibold">{title}</h3>
      <ReadState read={read} to="see this month’s spend" skeleton={<Skeleton className="h-40 w-full" />}>
        {(summary) => (
          <RankedBars
            label={`Spent this month, ${title.toLowerCase()}`}
            bars={buildBars(summary, by, openedAt)}
          />
        )}
      </ReadState>
    </Card>
  );
}

function buildBars(
  { groups, rest, totals }: UsageSummary,
  by: UsageDimension,
  openedAt: number,
): RankedBar[] {
  const from = String(startOfMonth(openedAt));
  const colors = assignColors(groups.map(({ id }) => id ?? ""));
  const whole = parseCheckedAmount(totals.amount);
  const toBar = (amount: Nano) => ({
    text: formatShortMoney(formatAmount(amount)),
    share: whole === ZERO ? 0 : Number(amount) / Number(whole),
  });
  const shown = groups.slice(0, MAX_SHOWN).map(
    (group): RankedBar => ({
      id: group.id ?? "none",
      label: labelGroup(by, group),
      color: colors.get(group.id ?? "") ?? "rest",
      href: group.id === null ? undefined : paths.usage({ from, [by]: group.id }),
      ...toBar(parseCheckedAmount(group.totals.amount)),
    }),
  );
  const count = groups.length - shown.length + (rest?.groups ?? 0);
  if (count === 0) return shown;
  const shownSum = groups
    .slice(0, MAX_SHOWN)
    .reduce((sum, group) => toNano(sum + parseCheckedAmount(group.totals.amount)), ZERO);
  const label = countNouns(count, "other");
  return [...shown, { id: "rest", label, color: "rest", ...toBar(toNano(whole - shownSum)) }];
}
