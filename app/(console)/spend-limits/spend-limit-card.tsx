import { Card } from "@/components/ui/card";
import { Status } from "@/components/ui/status";
import { Figure } from "@/components/ui/values/figure";
import { Money } from "@/components/ui/values/money";
import { RoundedMoney } from "@/components/ui/values/rounded-money";
import { describeSpent, SpentProgress } from "@/components/ui/values/spent-progress";
import type { ReadReply } from "@/lib/console/reads/reads";
import type { SpendLimit } from "@/lib/contract/operations/money/spend-limits";
import { parseCheckedAmount } from "@/lib/money/amount";
import { computePercentSpent, formatCents } from "@/lib/money/cents";

/** From this percentage on, the limit counts as nearly reached. */
const NEAR_PERCENT = 80;

type SpendLimitCardProps = {
  limit: SpendLimit;
  /** Undefined if it isn't loaded or the person can't see it. */
  spent: ReadReply<"retrieveRequestHistogram"> | undefined;
};

/** A monthly limit, the amount spent, and whether calls are refused. */
export function SpendLimitCard({ limit, spent }: SpendLimitCardProps) {
  const most = formatCents(limit.threshold_amount);
  const known = spent?.is_counted ? spent.totals.amount : null;
  const percent = known === null ? null : computePercentSpent(known, most);
  return (
    <Card className="grid gap-3">
      <div className="flex flex-wrap items-start justify-between gap-x-8 gap-y-2">
        <Figure label="Limit for a month" note={percent === null ? undefined : describeSpent(percent)}>
          <Money amount={most} currency={limit.currency} />
        </Figure>
        {known !== null && (
          <Figure label="Spent this month">
            <RoundedMoney amount={parseCheckedAmount(known)} currency={limit.currency} />
          </Figure>
        )}
        <LimitStatus isRefusing={limit.enforcement.status === "enforcing"} percent={percent} />
      </div>
      {percent !== null && <SpentProgress percent={percent} />}
    </Card>
  );
}

function LimitStatus({ isRefusing, percent }: { isRefusing: boolean; percent: number | null }) {
  if (isRefusing) return <Status tone="bad">Refuses calls</Status>;
  if (percent !== null && percent >= NEAR_PERCENT) return <Status tone="near">Near the limit</Status>;
  return <Status tone="good">Within the limit</Status>;
}
