"use client";

import { Boxes, Check, ChevronRight, X } from "lucide-react";
import { modelReads } from "@/components/models/model-reads";
import { useRead } from "@/components/queries/reads/use-read";
import { ObjectState } from "@/components/queries/states/object-state";
import { ReadState } from "@/components/queries/states/read-state";
import { StaleNotice } from "@/components/queries/states/stale-notice";
import { PageCrumb } from "@/components/shell/top-bar/page-crumb";
import { TextLink } from "@/components/ui/links/text-link";
import { Page, PageHead } from "@/components/ui/page";
import { Section } from "@/components/ui/section";
import { PageHeadSkeleton, TableSkeleton } from "@/components/ui/states/skeleton";
import { UnknownObject } from "@/components/ui/states/unknown-object";
import { ClockTime } from "@/components/ui/time/clock-time";
import { describeDuration } from "@/components/ui/values/describe-latency";
import { formatPercent } from "@/components/ui/values/percent";
import { Quantity } from "@/components/ui/values/quantity";
import { paths } from "@/lib/console/paths";
import { attemptCauses } from "@/lib/contract/calls/attempt-cause";
import type { RouteActivity } from "@/lib/contract/operations/models/model-routes";
import { routeActivityRead, routesRead } from "./route-reads";
import { causeWords } from "./route-words";
import { RoutesForm } from "./routes-form";

type RoutesScreenProps = { modelId: string; seesActivity: boolean; canWrite: boolean };

/** How often the figures of the last hour are read again, in milliseconds. */
const POLL_MS = 15_000;

/** The routes of a model's calls, and how its calls of the last hour went. */
export function RoutesScreen(props: RoutesScreenProps) {
  const { modelId } = props;
  const routes = useRead(...routesRead(modelId));
  const model = useRead(...modelReads.models).data?.data.find(({ id }) => id === modelId);
  return (
    <ObjectState
      read={routes}
      object={routes.data}
      to="show the routes"
      skeleton={
        <Page>
          <PageHeadSkeleton />
          <TableSkeleton rows={3} columns={5} />
        </Page>
      }
      unknown={<UnknownObject noun="model" id={modelId} icon={Boxes} list={paths.models()} />}
    >
      {(saved) => (
        <Page>
          <PageCrumb label={modelId} of={paths.model(modelId)} />
          <PageCrumb label="Routes" />
          {props.seesActivity ? (
            <WithActivity {...props} model={model} saved={saved} stale={<StaleNotice read={routes} />} />
          ) : (
            <>
              <RoutesHead modelId={modelId} activity={null} />
              <StaleNotice read={routes} />
              <RoutesForm saved={saved} activity={null} canWrite={props.canWrite} model={model} />
            </>
          )}
        </Page>
      )}
    </ObjectState>
  );
}

type WithActivityProps = RoutesScreenProps &
  Pick<React.ComponentProps<typeof RoutesForm>, "saved" | "model"> & {
    stale: React.ReactNode;
  };

function WithActivity({ modelId, canWrite, model, saved, stale }: WithActivityProps) {
  const [id, parameters] = routeActivityRead(modelId);
  const activity = useRead(id, parameters, { refetchInterval: POLL_MS });
  return (
    <>
      <RoutesHead modelId={modelId} activity={activity.data ?? null} />
      {stale}
      <div className="grid items-start gap-8 xl:grid-cols-[minmax(0,1fr)_26rem]">
        <div className="grid gap-8">
          <RoutesForm saved={saved} activity={activity.data ?? null} canWrite={canWrite} model={model} />
          {activity.data && <FailureCauses causes={activity.data.causes} />}
        </div>
        <ReadState
          read={activity}
          to="see the calls of the last hour"
          skeleton={<TableSkeleton rows={6} columns={3} />}
        >
          {(shown) => <RecentWays modelId={modelId} calls={shown.recent} />}
        </ReadState>
      </div>
    </>
  );
}

function RoutesHead({ modelId, activity }: { modelId: string; activity: RouteActivity | null }) {
  return (
    <PageHead
      title={findTitle(activity)}
      sentence={
        <>
          <span className="font-mono text-sm">{modelId}</span>
          {activity === null ? (
            ": groups are tried in order, and the routes of a group share its calls."
          ) : activity.calls === 0 ? (
            " had no call in the last hour."
          ) : (
            <>
              {" "}
              in the last hour: <Quantity value={activity.calls} /> {activity.calls === 1 ? "call" : "calls"},{" "}
              {formatPercent(activity.answered / activity.calls, 1)} answered,{" "}
              {formatPercent(activity.by_fallback / activity.calls, 1)} by a fallback.
            </>
          )}
        </>
      }
    />
  );
}

/** The answer to what one opens the page for: whether the routes hold. */
function findTitle(activity: RouteActivity | null): string {
  if (!activity || activity.calls === 0) return "Routes";
  const { calls, answered, by_fallback } = activity;
  const failed = calls - answered;
  if (failed > 0) return `${failed} of ${calls} calls weren’t answered`;
  if (by_fallback > 0) return `Fallbacks answered ${by_fallback} ${by_fallback === 1 ? "call" : "calls"}`;
  return "The first routes answered every call";
}

/** What happens when a call fails, by cause, and how often each came up. */
function FailureCauses({ causes }: Pick<RouteActivity, "causes">) {
  const counts = new Map(causes.map(({ cause, attempts }) => [cause, attempts]));
  return (
    <Section
      title="What happens when a call fails"
      description="A call is tried at most three times, and never again once the first byte of an answer has arrived."
    >
      <dl className="rounded-md border">
        <div className="grid grid-cols-[minmax(0,1fr)_5rem_minmax(0,1fr)] gap-x-4 border-b bg-default-soft px-3 py-1.5 text-sm text-muted">
          <dt>Cause</dt>
          <dd className="text-right">Last hour</dd>
          <dd>Then</dd>
        </div>
        {attemptCauses.map((cause) => (
          <div
            key={cause}
            className="grid grid-cols-[minmax(0,1fr)_5rem_minmax(0,1fr)] gap-x-4 border-b px-3 py-1.5 last:border-b-0"
          >
            <dt>{causeWords[cause].what}</dt>
            <dd className="text-right tabular-nums">
              {counts.has(cause) ? (
                <Quantity value={counts.get(cause) ?? 0} />
              ) : (
                <span className="text-muted">–</span>
              )}
            </dd>
            <dd className="text-sm text-muted">{causeWords[cause].next}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

type Call = RouteActivity["recent"][number];

/** The whole way of each recent call, failures included. */
function RecentWays({ modelId, calls }: { modelId: string; calls: readonly Call[] }) {
  return (
    <Section
      title="Where recent calls went"
      actions={<TextLink href={paths.requests({ model: modelId })}>All calls</TextLink>}
    >
      {calls.length === 0 ? (
        <p className="text-sm text-muted">No call in the last hour.</p>
      ) : (
        <ol className="divide-y border-y">
          {calls.map((call) => (
            <li key={call.id} className="flex items-center gap-3 py-1.5">
              <TextLink href={paths.request(call.id)} aria-label={`Call ${call.id}`}>
                <ClockTime at={call.at} />
              </TextLink>
              <span className="flex min-w-0 flex-1 flex-wrap items-center gap-1">
                {call.attempts.map((attempt, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a call's attempts never change their order
                  <Attempt key={at} attempt={attempt} isFirst={at === 0} />
                ))}
              </span>
              {call.duration_ms !== null && (
                <span className="text-sm tabular-nums">{describeDuration(call.duration_ms)}</span>
              )}
            </li>
          ))}
        </ol>
      )}
    </Section>
  );
}

function Attempt({ attempt, isFirst }: { attempt: Call["attempts"][number]; isFirst: boolean }) {
  const { provider, model, cause, status } = attempt;
  const look = cause ? "bg-danger-soft text-danger" : "bg-success-soft text-success";
  const Icon = cause ? X : Check;
  return (
    <>
      {!isFirst && <ChevronRight aria-label="then" className="size-3.5 text-muted" />}
      <span
        title={model}
        className={`inline-flex items-center gap-1 rounded-sm px-1.5 text-sm wrap-anywhere ${look}`}
      >
        <Icon aria-label={cause ? "failed" : "answered"} className="size-3.5 shrink-0" />
        {provider}
        {cause && ` ${status ?? causeWords[cause].short}`}
      </span>
    </>
  );
}
