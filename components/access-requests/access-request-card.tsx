"use client";

import { useState } from "react";
import { useAction } from "@/components/queries/actions/use-action";
import { useRead } from "@/components/queries/reads/use-read";
import { wholeList } from "@/components/queries/reads/whole-list";
import { limitLabels } from "@/components/rate-limits/limit-fields";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { toast } from "@/components/ui/dialog/toast";
import { TextLink } from "@/components/ui/links/text-link";
import { nowSeconds } from "@/components/ui/time/server-clock";
import { RelativeTime } from "@/components/ui/time/shown-time";
import { describeUnitPrice, tidyAmount } from "@/components/ui/values/describe-unit-price";
import { countNouns, formatCount, trimDecimal } from "@/components/ui/values/group-digits";
import { RoundedMoney } from "@/components/ui/values/rounded-money";
import { paths } from "@/lib/console/paths";
import { isPermission, permissionCatalogue } from "@/lib/contract/access/permissions";
import type { RateLimitField } from "@/lib/contract/calls/rate-limit-table";
import { DAY_S } from "@/lib/contract/durations";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import type { AccessRequest } from "@/lib/contract/operations/people/access-requests";
import { formatCents, parseCheckedAmount } from "@/lib/money/amount";
import { approveAccess, declineAccess } from "./actions";
import { computeDailyCost, describeMore } from "./describe-effect";

const WEEK_DAYS = 7;
const changed = [
  "listAccessRequests",
  "retrieveRateLimit",
  "listRateLimits",
  "listUserRoles",
  "retrieveSpendLimit",
  "retrieveProjectSpendLimit",
  "retrieveModelPermissions",
] as const;

/** One request with what it lets through and what it costs, and its answers: one click each. */
export function AccessRequestCard({ request }: { request: AccessRequest }) {
  const { id, requested_by, reason, request_id, created_at } = request;
  const approve = useAction(approveAccess, {
    refetch: [...changed],
    onSuccess: ({ ends_at }) =>
      toast({
        message: `${requested_by.name} has it now${ends_at === null ? "" : ", for a week. It then ends by itself"}.`,
      }),
  });
  const decline = useAction(declineAccess, {
    refetch: ["listAccessRequests"],
    onSuccess: () => toast({ message: `Declined. Nothing changes for ${requested_by.name}.` }),
  });
  const problem = approve.error?.problem ?? decline.error?.problem;
  const days = approve.variables?.days ?? null;
  const Effect = effects[request.kind];
  return (
    <Card className="grid gap-3">
      <div className="grid gap-1 wrap-anywhere">
        <h3 className="font-medium">{writeTitle(request)}</h3>
        <Effect request={request} />
        <p className="text-sm text-muted">
          Asked <RelativeTime at={created_at} />
          {reason !== null && <>: “{reason}”</>}
          {request_id !== null && (
            <>
              {" · "}
              <TextLink href={paths.request(request_id)}>the refused call</TextLink>
            </>
          )}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button
          variant="primary"
          pending={approve.isPending && days !== null}
          onClick={() => approve.mutate({ id, days: WEEK_DAYS })}
        >
          Allow for a week
        </Button>
        <Button
          pending={approve.isPending && days === null}
          onClick={() => approve.mutate({ id, days: null })}
        >
          Allow until changed
        </Button>
        <Button pending={decline.isPending} onClick={() => decline.mutate({ id })}>
          Decline
        </Button>
      </div>
      {problem && (
        <p role="alert" className="text-sm text-danger">
          {problem.message}
        </p>
      )}
    </Card>
  );
}

function writeTitle({ kind, requested_by, model, project_id, project_name }: AccessRequest): string {
  const place = project_id === null ? "the organization" : (project_name ?? project_id);
  const asks = {
    rate_limits: `more of ${model} in ${place}`,
    spend_limit: `a higher spend limit of ${place}`,
    model: `${model} in ${place}`,
    permission: `access in ${place}`,
  };
  return `${requested_by.name} asks for ${asks[kind]}`;
}

const effects = {
  rate_limits: LimitEffect,
  spend_limit: SpendEffect,
  model: ModelEffect,
  permission: RoleEffect,
};

/** What calls came to in the last 30 days; undefined until it is known, and for who may not read it. */
function usePastCalls({ project_id, model }: AccessRequest) {
  const [since] = useState(() => String(nowSeconds() - 30 * DAY_S));
  const usage = useRead(
    "retrieveUsageSummary",
    {
      project_id: project_id ?? undefined,
      model: model ?? undefined,
      start_time: since,
      bucket_width: "range",
      latencies: "none",
      previous: "false",
    },
    { isCostly: true },
  ).data;
  return (
    usage && {
      requests: usage.totals.requests,
      refusals: usage.totals.refusals,
      tokens: usage.totals.prompt_tokens + usage.totals.completion_tokens,
      amount: parseCheckedAmount(usage.totals.amount),
      currency: usage.currency,
    }
  );
}

function PastCalls({ past }: { past: ReturnType<typeof usePastCalls> }) {
  if (!past) return null;
  return (
    <p className="text-sm text-muted">
      In the last 30 days: {countNouns(past.requests, "call")}, {formatCount(past.refusals)} refused,{" "}
      <RoundedMoney amount={past.amount} currency={past.currency} />.
    </p>
  );
}

function SpendEffect({ request }: { request: AccessRequest }) {
  const { spend_limit, spend_limit_now, project_id } = request;
  const past = usePastCalls(request);
  if (!spend_limit) return <p>A spend limit about twice the present one.</p>;
  const [now, asked] = [spend_limit_now?.threshold_amount ?? null, spend_limit.threshold_amount];
  const toAmount = (cents: number) => parseCheckedAmount(formatCents(cents));
  return (
    <>
      <p>
        Spend limit per month{" "}
        <span className="font-medium tabular-nums">
          {now === null ? "no limit" : <RoundedMoney amount={toAmount(now)} />} →{" "}
          <RoundedMoney amount={toAmount(asked)} currency={spend_limit.currency} />
        </span>
      </p>
      <p className="text-sm text-muted">
        {now === null || now >= asked ? (
          "The limit is as high already: decline this request."
        ) : (
          <>
            Lets calls of {project_id === null ? "the organization" : "the project"} cost up to{" "}
            <RoundedMoney amount={toAmount(asked - now)} currency={spend_limit.currency} /> more a month.
          </>
        )}
      </p>
      <PastCalls past={past} />
    </>
  );
}

function ModelEffect({ request }: { request: AccessRequest }) {
  const models = useRead(...wholeList("listOrganizationModels")).data;
  const model = models?.data.find(({ id }) => id === request.model);
  const past = usePastCalls(request);
  return (
    <>
      <p>
        Lets the project call{" "}
        {model ? <TextLink href={paths.model(model.id)}>{model.id}</TextLink> : request.model}.
      </p>
      {model && <p className="text-sm text-muted">{describeListPrice(model)}</p>}
      <PastCalls past={past} />
    </>
  );
}

function LimitEffect({ request }: { request: AccessRequest }) {
  const { limits, limits_now } = request;
  const past = usePastCalls(request);
  return (
    <>
      {Object.entries(limits ?? {}).map(([name, asked]) => {
        const field = name as RateLimitField;
        const now = limits_now?.[field] ?? null;
        const cost = past ? computeDailyCost(field, now, asked, past) : null;
        return (
          <div key={field}>
            <p>
              {limitLabels[field]}{" "}
              <span className="font-medium tabular-nums">
                {now === null ? "no limit" : formatCount(now)} →{" "}
                {asked === null ? "no limit" : formatCount(asked)}
              </span>
            </p>
            <p className="text-sm text-muted">
              Lets {describeMore(field, now, asked)} through
              {cost !== null && past && (
                <>
                  , at most <RoundedMoney isRounded amount={cost} currency={past.currency} /> more a day if
                  all of it is used
                </>
              )}
              .
            </p>
          </div>
        );
      })}
      <PastCalls past={past} />
    </>
  );
}

function RoleEffect({ request: { permission, role } }: { request: AccessRequest }) {
  const sentence =
    permission !== null && isPermission(permission) ? permissionCatalogue[permission] : permission;
  const others = (role?.also_grants ?? []).filter(isPermission);
  return (
    <>
      <p>{sentence}</p>
      <p className="text-sm text-muted">
        {role === null
          ? "No role has this permission: create one first."
          : `Assigns the role ${role.name}${role.project_id === null ? " in the whole organization" : ""}${others.length === 0 ? "" : ", which also allows:"}`}
        {role !== null && others.length === 0 && "."}
      </p>
      {others.length > 0 && (
        <details className="text-sm text-muted">
          <summary className="cursor-pointer">
            {others.length === 1 ? "1 more permission" : `${others.length} more permissions`}
          </summary>
          <ul className="mt-1 grid list-disc gap-0.5 pl-5">
            {others.map((other) => (
              <li key={other}>{permissionCatalogue[other]}</li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function describeListPrice({ price, unit_price, rate, currency }: OrganizationModel): string {
  const list = price
    ? `${tidyAmount(price.input_per_1m)} in and ${tidyAmount(price.output_per_1m)} out per 1M tokens`
    : unit_price && describeUnitPrice(unit_price);
  if (!list) return "It has no price yet, so nobody can call it.";
  const times = Number(rate) === 1 ? "" : `, times its rate of ${trimDecimal(rate)}`;
  return `Costs ${list} in ${currency} at list price${times}.`;
}
