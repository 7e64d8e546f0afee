"use client";

import { Gauge } from "lucide-react";
import { limitRead, nameSpendScope, type SpendScope, spentRead } from "@/components/money/spend-reads";
import { HistoryLink } from "@/components/object-page/history-link";
import { ConfirmedAction } from "@/components/queries/actions/confirmed-action";
import { useRead } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { useFormDialog } from "@/components/ui/form/use-form-dialog";

import { Section } from "@/components/ui/section";
import { EmptyState } from "@/components/ui/states/empty-state";
import { Skeleton } from "@/components/ui/states/skeleton";
import { Status } from "@/components/ui/status";
import { Figure } from "@/components/ui/values/figure";
import { Money } from "@/components/ui/values/money";
import { RoundedMoney } from "@/components/ui/values/rounded-money";
import { describeSpent, SpentProgress } from "@/components/ui/values/spent-progress";
import type { ReadReply } from "@/lib/console/reads/reads";
import type { SpendLimit } from "@/lib/contract/operations/money/spend-limits";
import { computePercentSpent, formatCents, parseCheckedAmount } from "@/lib/money/amount";
import { removeSpendLimit } from "./spend-actions";

const SpendLimitDialog = loadOnClient(() =>
  import("./spend-limit-dialog").then((file) => file.SpendLimitDialog),
);

/** The limit on a calendar month's spend, and the spend so far. */
export function SpendLimitSection(scope: SpendScope) {
  const [id, parameters] = limitRead(scope);
  const limit = useRead<"retrieveSpendLimit" | "retrieveProjectSpendLimit">(id, parameters);
  const [spentId, spentParameters] = spentRead(scope);
  const spent = useRead(spentId, spentParameters, { enabled: scope.may("api.requests.read") });
  const canWrite = scope.may("api.spend_limits.write");
  const dialog = useFormDialog("spend-limit", canWrite);
  // After a removal, the cached data is of the removed limit.
  const isUnlimited = limit.error?.problem.code === "not_found";
  const saved = isUnlimited ? null : (limit.data ?? null);
  const setButton = canWrite && (
    <Button variant={saved ? "secondary" : "primary"} onClick={dialog.open}>
      {saved ? "Change limit" : "Set a limit"}
    </Button>
  );
  return (
    <Section
      title={scope.project ? "Monthly limit" : "Organization"}
      description="What the calls of a calendar month (UTC) may cost. A call that could exceed it is refused before it is sent."
      actions={
        saved && (
          <>
            <HistoryLink id={scope.project?.id ?? "organization"} projectId={scope.project?.id} />
            {canWrite && <RemoveSpendLimit scope={scope} limit={saved} />}
            {setButton}
          </>
        )
      }
    >
      {isUnlimited ? (
        <EmptyState
          icon={Gauge}
          title="No spend limit"
          action={setButton}
          example={`For example 500.00 ${scope.currency} a month.`}
        >
          {scope.project
            ? "Only the organization’s limit and the balance cap what this project can spend."
            : "Only the balance caps what all projects together can spend."}
        </EmptyState>
      ) : (
        <ReadState
          read={limit}
          to={`show the spend limit of ${nameSpendScope(scope)}`}
          skeleton={<Skeleton className="h-28 w-full" />}
        >
          {(shown) => <SpendLimitCard limit={shown} spent={spent.data} />}
        </ReadState>
      )}
      {dialog.isOpen && <SpendLimitDialog scope={scope} limit={saved} close={dialog.close} />}
    </Section>
  );
}

type RemoveSpendLimitProps = { scope: SpendScope; limit: SpendLimit & { version?: string | undefined } };

function RemoveSpendLimit({ scope, limit }: RemoveSpendLimitProps) {
  return (
    <ConfirmedAction
      renderButton={(ask) => <Button onClick={ask}>Remove limit</Button>}
      title={`Remove the spend limit of ${nameSpendScope(scope)}?`}
      confirmLabel="Remove limit"
      action={removeSpendLimit}
      input={{ projectId: scope.project?.id ?? null, version: limit.version }}
      refetch={["retrieveSpendLimit", "retrieveProjectSpendLimit", "listProjectSummaries"]}
      done={() => `Spend limit of ${nameSpendScope(scope)} removed`}
    >
      From the next call on, only{" "}
      {scope.project ? "the organization’s limit and the balance cap" : "the balance caps"} spending.
    </ConfirmedAction>
  );
}

/** From this percentage on, the limit counts as nearly reached. */
const NEAR_PERCENT = 80;

type SpendLimitCardProps = {
  limit: SpendLimit;
  /** Undefined if it isn't loaded or the person can't see it. */
  spent: ReadReply<"retrieveRequestHistogram"> | undefined;
};

/** A monthly limit, the amount spent, and whether calls are refused. */
function SpendLimitCard({ limit, spent }: SpendLimitCardProps) {
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
