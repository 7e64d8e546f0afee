"use client";

import { type ReactNode, useEffect, useState } from "react";
import type { PlaygroundRights } from "@/app/(console)/playground/playground-frame";
import { limitLabels } from "@/components/rate-limits/limit-fields";
import { useHoldsInProject } from "@/components/shell/held-permissions";
import { useLinkedProject } from "@/components/shell/project/shell-projects";
import { Button } from "@/components/ui/button";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { LinkButton } from "@/components/ui/links/link-button";
import { TextLink } from "@/components/ui/links/text-link";
import { Notice } from "@/components/ui/notice";
import { IdChip } from "@/components/ui/text/id-chip";
import { describeWait } from "@/components/ui/values/describe-latency";
import { formatCount } from "@/components/ui/values/group-digits";
import { Money } from "@/components/ui/values/money";
import type { Problem } from "@/lib/console/gateway/problem";
import { paths } from "@/lib/console/paths";
import type { BalanceRefusal, CircuitRefusal, SpendLimitRefusal } from "@/lib/contract/refusal-facts";

const loadAsking = () => import("@/components/access-requests/ask-for-limit");
const AskForLimit = loadOnClient(() => loadAsking().then((file) => file.AskForLimit));
const AskForModel = loadOnClient(() => loadAsking().then((file) => file.AskForModel));
const AskForSpendLimit = loadOnClient(() => loadAsking().then((file) => file.AskForSpendLimit));

type RefusalProps = {
  problem: Problem;
  model: string;
  rights: Pick<PlaygroundRights, "canPay" | "seesLimits">;
  /** True if text had already arrived. The request id is then shown below that text. */
  isBroken: boolean;
  /** Undefined if a newer prompt has been sent. */
  retry: (() => void) | undefined;
};

/** Explains which check refused a call, or why its answer broke off, and what to do about it. */
export function Refusal(props: RefusalProps) {
  const project = useLinkedProject();
  const mayChange = useHoldsInProject("api.rate_limits.write");
  const { title, text, link } = explain({ ...props, project, mayChange });
  const waitMs = computeWait(props.problem);
  const hasActions = (props.retry && waitMs !== null) || link;
  return (
    <Notice
      tone="bad"
      title={title}
      actions={
        hasActions && (
          <>
            {props.retry && waitMs !== null && <RetryButton waitMs={waitMs} retry={props.retry} />}
            {link}
          </>
        )
      }
    >
      {text}
      {props.problem.requestId && !props.isBroken && (
        <span className="mt-1 flex flex-wrap items-center gap-x-2">
          Request id <IdChip id={props.problem.requestId} what="request id" />
          {recorded.includes(props.problem.code) && (
            <TextLink href={paths.request(props.problem.requestId)}>Receipt</TextLink>
          )}
        </span>
      )}
    </Notice>
  );
}

/** The request log has a receipt of these. It has none of calls without a valid key or session. */
const recorded: readonly Problem["code"][] = [
  "rate_limited",
  "insufficient_balance",
  "spend_limit",
  "circuit_open",
  "not_found",
  "refused",
  "invalid",
  "failed",
];

type Explanation = { title: ReactNode; text: ReactNode; link?: ReactNode };

function explain({
  problem,
  model,
  project,
  mayChange,
  retry,
  rights: { canPay, seesLimits },
  isBroken,
}: RefusalProps & { project: string; mayChange: boolean }): Explanation {
  switch (problem.code) {
    case "rate_limited":
      return explainLimit(problem, { model, project, seesLimits, mayChange, retry });
    case "insufficient_balance":
      return {
        title: "The balance is too low for this call",
        text: (
          <>
            {problem.balance ? <Shortage {...problem.balance} /> : problem.message}{" "}
            {canPay === false && "Ask someone with the Finance role to record a payment."}
          </>
        ),
        link: canPay !== false && <LinkButton href={paths.balance()}>Record a payment</LinkButton>,
      };
    case "spend_limit":
      return explainSpendLimit(problem.spendLimit, { requestId: problem.requestId, retry });
    case "circuit_open":
      return explainCircuit(problem.circuit);
    case "refused":
      return {
        title: nameForbidden(problem.errorCode),
        text: problem.message,
        link: problem.errorCode === "model_not_allowed" && (
          <AskForModel projectId={project} model={model} requestId={problem.requestId} tryAgain={retry} />
        ),
      };
    case "missing_permission":
      if (problem.permission === null) return { title: "The prompt was refused", text: problem.message };
      return {
        title: "You don’t have permission to send prompts",
        text: (
          <>
            You need the permission <code className="font-mono">{problem.permission}</code>. Ask someone with
            the Owner or Admin role to add it to one of your roles.
          </>
        ),
      };
    case "unreachable":
    case "failed":
      return { title: isBroken ? "The answer broke off" : "No answer arrived", text: problem.message };
    default:
      if (isArchived(problem)) return explainArchived(problem);
      return { title: "The prompt was refused", text: problem.message };
  }
}

type LimitRights = {
  model: string;
  project: string;
  seesLimits: boolean;
  mayChange: boolean;
  retry: (() => void) | undefined;
};

function explainLimit(
  problem: Problem & { code: "rate_limited" },
  { model, project, seesLimits, mayChange, retry }: LimitRights,
): Explanation {
  const { limit } = problem;
  if (!limit) return { title: nameBusy(problem.errorCode), text: problem.message };
  return {
    title: (
      <>
        {(limitLabels as Record<string, string>)[limit.field] ?? limit.field}{" "}
        <code className="font-mono text-sm font-normal">{limit.field}</code>{" "}
        {limit.resets_in_ms === null ? "is less than this call needs" : "is used up"}
      </>
    ),
    text: (
      <>
        {formatCount(limit.used)} of {formatCount(limit.max)} used for {limit.model}; this call needs{" "}
        {formatCount(limit.requested)}.
        {limit.resets_in_ms === null &&
          (limit.max === 0
            ? " No call can pass: have the limit raised."
            : " It can never pass: make it smaller, or have the limit raised.")}
      </>
    ),
    link: (
      <>
        {!mayChange && (
          <AskForLimit
            projectId={limit.project}
            model={limit.model}
            field={limit.field}
            refusedBy={{ limit: limit.max, used: limit.used, needed: limit.requested }}
            requestId={problem.requestId}
            tryAgain={retry}
          />
        )}
        {seesLimits && <LinkButton href={paths.rateLimit(project, model)}>View rate limits</LinkButton>}
      </>
    ),
  };
}

const isArchived = ({ errorCode }: Problem) => errorCode === "project_archived";

function explainArchived({ message }: Problem): Explanation {
  return {
    title: "The project is archived",
    text: message,
    link: <LinkButton href={paths.projects()}>Choose another project</LinkButton>,
  };
}

function nameBusy(errorCode: string | undefined): string {
  if (errorCode === "concurrency") return "Too many calls at once";
  return errorCode === "provider_error" ? "The provider is at its limit" : "Refused for now";
}

function nameForbidden(errorCode: string | undefined): string {
  if (errorCode === "outside_key_scope") return "The key may not make this call";
  return errorCode === "model_not_allowed" ? "The project may not call this model" : "The prompt was refused";
}

/** The figures are part of the refusal only if the person can read spend limits. */
function explainSpendLimit(
  refusal: SpendLimitRefusal,
  { requestId, retry }: { requestId: string | null; retry: (() => void) | undefined },
): Explanation {
  const { project, threshold, spent, required, currency, resets_at } = refusal;
  const needs = (
    <>
      this call needs at least <Money amount={required} currency={currency} />
    </>
  );
  return {
    title: `The ${project === null ? "organization" : "project"}’s spend limit is used up`,
    text: (
      <>
        {threshold !== undefined && spent !== undefined ? (
          <>
            <Money amount={spent} currency={currency} /> of <Money amount={threshold} currency={currency} />{" "}
            are spent or set aside this month; {needs}.
          </>
        ) : (
          <>What is left of it this month is too little: {needs}.</>
        )}{" "}
        Have it raised, or wait until <ResetDay seconds={resets_at} />.
      </>
    ),
    link: (
      <AskForSpendLimit
        projectId={project}
        refusedBy={
          threshold !== undefined && spent !== undefined
            ? { limit: threshold, used: spent, needed: required }
            : null
        }
        currency={currency}
        requestId={requestId}
        tryAgain={retry}
      />
    ),
  };
}

function ResetDay({ seconds }: { seconds: number }) {
  const at = new Date(seconds * 1000);
  const day = at.toLocaleDateString("en-GB", { day: "numeric", month: "long", timeZone: "UTC" });
  return <time dateTime={at.toISOString()}>{day} (UTC)</time>;
}

function explainCircuit({ provider, failures }: CircuitRefusal): Explanation {
  return {
    title: "The circuit breaker refused the call",
    text: (
      <>
        {provider ? (
          <>
            The provider <code className="font-mono">{provider}</code>
          </>
        ) : (
          "The model’s provider"
        )}{" "}
        has failed {formatCount(failures)} calls in a row, so calls to it are refused for a while. Nothing was
        sent or charged.
      </>
    ),
    // The link names the provider, so it is shown only to people who may read providers.
    link: provider && <LinkButton href={paths.health()}>View provider health</LinkButton>,
  };
}

/** The available balance is part of the refusal only if the person can read the balance. */
function Shortage({ available, required, currency }: BalanceRefusal) {
  if (available === undefined) {
    return (
      <>
        This call needs at least <Money amount={required} currency={currency} />.
      </>
    );
  }
  return (
    <>
      <Money amount={available} currency={currency} /> is available; this call needs at least{" "}
      <Money amount={required} currency={currency} />.
    </>
  );
}

/** Milliseconds until a retry makes sense; null if it never does. */
function computeWait(problem: Problem): number | null {
  if (problem.code === "missing_permission" || problem.code === "refused" || isArchived(problem)) return null;
  if (problem.code === "circuit_open") return problem.circuit.retry_in_ms;
  if (problem.code !== "rate_limited") return 0;
  return problem.limit ? problem.limit.resets_in_ms : (problem.retryAfterSeconds ?? 0) * 1000;
}

function RetryButton({ waitMs, retry }: { waitMs: number; retry: () => void }) {
  const seconds = useCountdown(waitMs);
  return (
    <Button disabled={seconds > 0} onClick={retry}>
      {seconds > 0 ? `Try again in ${describeWait(seconds)}` : "Try again"}
    </Button>
  );
}

const TICK_MS = 250;

/** Returns the whole seconds left of a wait that starts on mount; 0 once it is over. */
function useCountdown(waitMs: number): number {
  const [endsAt] = useState(() => performance.now() + waitMs);
  const [leftMs, setLeftMs] = useState(waitMs);
  const isOver = leftMs <= 0;

  useEffect(() => {
    if (isOver) return;
    const timer = setInterval(() => setLeftMs(endsAt - performance.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [endsAt, isOver]);

  return Math.max(0, Math.ceil(leftMs / 1000));
}
