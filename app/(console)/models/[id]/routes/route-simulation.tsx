"use client";

import { useActionQuery } from "@/components/queries/actions/use-action-query";
import { Notice } from "@/components/ui/notice";
import { Spinner } from "@/components/ui/spinner";
import { DateTime } from "@/components/ui/time/date-time";
import { describeDuration } from "@/components/ui/values/describe-latency";
import { Money } from "@/components/ui/values/money";
import { formatPercent } from "@/components/ui/values/percent";
import { Quantity } from "@/components/ui/values/quantity";
import type { RouteSimulation as Simulated } from "@/lib/contract/operations/models/model-routes";
import { modelRoutes } from "@/lib/contract/operations/models/models";
import { simulateModelRoutes } from "../../actions";
import { type RouteValue, toModelRoutes } from "./edit-routes";

type RouteSimulationProps = {
  modelId: string;
  routes: readonly RouteValue[];
  currency: string | undefined;
};

/** What last week's calls would have become with the routes as they are typed. */
export function RouteSimulation({ modelId, routes, currency }: RouteSimulationProps) {
  const draft = toModelRoutes(routes);
  const isValid = modelRoutes.safeParse(draft).success && routes.every(({ weight }) => weight !== null);
  const { data, error } = useActionQuery({
    queryKey: ["simulated routes", modelId, JSON.stringify(draft)],
    ask: () => simulateModelRoutes({ modelId, routes: draft }),
    enabled: isValid,
    placeholderData: (previous) => previous,
  });
  if (!isValid) return null;
  if (error) return <Notice title="The draft can’t be simulated">{error.problem.message}</Notice>;
  return (
    <section aria-label="This draft on last week’s calls" className="rounded-md border px-3 py-2.5">
      <h2 className="font-medium">This draft on last week’s calls</h2>
      {data ? <Outcome {...data} currency={currency} /> : <Spinner />}
    </section>
  );
}

type OutcomeProps = Simulated & Pick<RouteSimulationProps, "currency">;

function Outcome(props: OutcomeProps) {
  const { calls, start_time, as_it_was: was, with_draft: draft, unmeasured, currency } = props;
  if (calls === 0) return <p className="text-sm text-muted">There was no call last week.</p>;
  const share = (count: number) => formatPercent(count / calls, 1);
  const time = (ms: number | null) => (ms === null ? "–" : describeDuration(ms));
  const rows = [
    ["Answered", share(was.answered), share(draft.answered)],
    ["By a fallback", share(was.by_fallback), share(draft.by_fallback)],
    ["First token, p95", time(was.first_byte_p95_ms), time(draft.first_byte_p95_ms)],
    [
      "Providers charge",
      <Money key="was" amount={was.cost} currency={currency} />,
      <Money key="draft" amount={draft.cost} currency={currency} />,
    ],
  ] as const;
  return (
    <>
      <p className="text-sm text-muted">
        <Quantity value={calls} /> {calls === 1 ? "call" : "calls"} since <DateTime at={start_time} />, with
        the times and failures measured then, at the prices of today.
      </p>
      <table className="mt-2 w-full max-w-md text-sm tabular-nums">
        <thead>
          <tr className="text-muted">
            <th className="text-left font-normal">Calls</th>
            <th className="text-right font-normal">as it was</th>
            <th className="text-right font-normal">with draft</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, before, after]) => (
            <tr key={name}>
              <th scope="row" className="text-left font-normal">
                {name}
              </th>
              <td className="text-right text-muted">{before}</td>
              <td className="text-right font-medium">{after}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {unmeasured > 0 && (
        <p className="mt-2 text-sm text-muted">
          <Quantity value={unmeasured} /> of them go to a route that had no call last week: they count as
          answered.
        </p>
      )}
    </>
  );
}
