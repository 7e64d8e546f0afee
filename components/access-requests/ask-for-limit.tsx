"use client";

import { limitFields, nameCounted } from "@/components/rate-limits/limit-fields";
import { useHolds, useHoldsInProject } from "@/components/shell/held-permissions";
import { LinkButton } from "@/components/ui/links/link-button";
import { formatCount } from "@/components/ui/values/group-digits";
import { formatShortMoney } from "@/components/ui/values/write-figures";
import { paths } from "@/lib/console/paths";
import { rateLimitTable } from "@/lib/contract/calls/rate-limit-table";
import { MAX_SPEND_CENTS, type RefusedBy, suggestLimit } from "@/lib/contract/calls/suggest-limit";
import { formatCents, NANO_PER_CENT, parseCheckedAmount } from "@/lib/money/amount";
import { AskButton } from "./ask-button";

const perWindow = { minute: "per minute", day: "per day" } as const;

type AskForLimitProps = {
  projectId: string;
  model: string;
  /** The limit that refused the call. */
  field: string;
  refusedBy: RefusedBy;
  requestId: string | null;
  /** Sends the call once more; undefined where it can't be sent from here. */
  tryAgain: (() => void) | undefined;
};

/** Lets whoever was refused ask for a higher limit in one click. */
export function AskForLimit({
  projectId,
  model,
  field: name,
  refusedBy,
  requestId,
  tryAgain,
}: AskForLimitProps) {
  const field = limitFields.find((known) => known.name === name);
  if (!field) return null;
  const more = suggestLimit(refusedBy);
  return (
    <AskButton
      draft={{ project_id: projectId, model, limits: { [field.name]: more }, request_id: requestId }}
      label={`Ask for ${formatCount(more)} ${nameCounted(field.name, more)} ${perWindow[rateLimitTable[field.name].window]}`}
      answeredBy="someone who can set this project’s limits"
      tryAgain={tryAgain}
    />
  );
}

/** The least spend limit that is asked for: 10.00. */
const LEAST_CENTS = 1_000;

type AskForSpendLimitProps = {
  /** Null for the organization's limit. */
  projectId: string | null;
  /** Decimal amounts; null for people who may not read them: the gateway then chooses what is asked for. */
  refusedBy: { readonly limit: string; readonly used: string; readonly needed: string } | null;
  currency: string;
  requestId: string | null;
  tryAgain: (() => void) | undefined;
};

/** Leads whoever may raise a spend limit that refused a call to it; anybody else asks in one click. */
export function AskForSpendLimit({
  projectId,
  refusedBy,
  currency,
  requestId,
  tryAgain,
}: AskForSpendLimitProps) {
  const holds = [useHolds("api.spend_limits.write"), useHoldsInProject("api.spend_limits.write")];
  const href = paths.spendLimits(projectId ?? undefined);
  if (holds[projectId === null ? 0 : 1])
    return (
      <LinkButton variant="primary" href={href}>
        Raise the spend limit
      </LinkButton>
    );
  const more = refusedBy && suggestCents(refusedBy);
  return (
    <>
      <AskButton
        draft={{
          project_id: projectId,
          spend_limit: more === null ? {} : { threshold_amount: more },
          request_id: requestId,
        }}
        label={
          more === null
            ? "Ask for a higher spend limit"
            : `Ask for ${formatShortMoney(formatCents(more))} ${currency} a month`
        }
        answeredBy={`someone who can set the ${projectId === null ? "organization" : "project"}’s spend limit`}
        tryAgain={tryAgain}
      />
      {/* The figures are there for people who may read spend limits. */}
      {refusedBy && <LinkButton href={href}>View the spend limit</LinkButton>}
    </>
  );
}

function suggestCents({ limit, used, needed }: NonNullable<AskForSpendLimitProps["refusedBy"]>): number {
  const inCents = {
    limit: roundUpToCents(limit),
    used: roundUpToCents(used),
    needed: roundUpToCents(needed),
  };
  return Math.min(suggestLimit(inCents, LEAST_CENTS), MAX_SPEND_CENTS);
}

const roundUpToCents = (amount: string) =>
  Number((parseCheckedAmount(amount) + NANO_PER_CENT - 1n) / NANO_PER_CENT);

type AskForModelProps = {
  projectId: string;
  model: string;
  requestId: string | null;
  tryAgain: (() => void) | undefined;
};

/** Leads whoever may allow a model to the project’s models; anybody else asks in one click that it is allowed. */
export function AskForModel({ projectId, model, requestId, tryAgain }: AskForModelProps) {
  const mayAllow = useHoldsInProject("api.model_permissions.write");
  if (mayAllow)
    return (
      <LinkButton variant="primary" href={paths.project(projectId, { tab: "models" })}>
        Change the project’s models
      </LinkButton>
    );
  return (
    <AskButton
      draft={{ project_id: projectId, model, request_id: requestId }}
      label={`Ask for ${model}`}
      answeredBy="someone who can choose this project’s models"
      tryAgain={tryAgain}
    />
  );
}
