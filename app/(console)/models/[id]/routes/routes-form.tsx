"use client";

import { Plus } from "lucide-react";
import { useState } from "react";
import { useWatch } from "react-hook-form";
import { ConfirmedAction } from "@/components/queries/actions/confirmed-action";
import { useActionQuery } from "@/components/queries/actions/use-action-query";
import { useSaveChanges } from "@/components/queries/actions/use-save-changes";
import { useLateModule } from "@/components/ui/browser/use-late-module";
import { Button } from "@/components/ui/button";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { Form } from "@/components/ui/form/form";
import { lateSchema, useLateEditForm } from "@/components/ui/form/late-schema";
import { ReadOnlyNotice } from "@/components/ui/form/read-only-notice";
import { SaveFooter } from "@/components/ui/form/save-footer";
import { useFormDialog } from "@/components/ui/form/use-form-dialog";
import { Notice } from "@/components/ui/notice";
import { Spinner } from "@/components/ui/spinner";
import { DateTime } from "@/components/ui/time/date-time";
import { describeDuration } from "@/components/ui/values/describe-latency";
import { Money } from "@/components/ui/values/money";
import { formatPercent } from "@/components/ui/values/percent";
import { Quantity } from "@/components/ui/values/quantity";
import { routeOrders } from "@/lib/contract/calls/route-groups";
import type {
  RouteActivity,
  RoutesOfModel,
  RouteSimulation as Simulated,
} from "@/lib/contract/operations/models/model-routes";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import { saveModelRoutes, simulateModelRoutes } from "../../actions";
import { RouteRow } from "./route-row";
import {
  addedAfter,
  groupWords,
  inGroups,
  MAX_ROUTES,
  moveRoute,
  orderWords,
  type RouteValue,
  toModelRoutes,
  toRouteValues,
} from "./route-words";

const RouteDialog = loadOnClient(() => import("./route-dialog").then((file) => file.RouteDialog));

const schema = lateSchema<{ routes: RouteValue[] }>(() =>
  import("./routes-schema").then((file) => file.routesSchema),
);
const names = ["routes"] as const;
const labels = { routes: "Routes" };

type RoutesFormProps = {
  saved: RoutesOfModel;
  /** Null while it isn't known. */
  activity: RouteActivity | null;
  canWrite: boolean;
  /** Undefined while it isn't known. */
  model: OrganizationModel | undefined;
};

/** The routes by group: order, weights, removal and addition. */
export function RoutesForm({ saved, activity, canWrite: mayWrite, model }: RoutesFormProps) {
  const isBuiltIn = model?.source === "built_in";
  const canWrite = mayWrite && !isBuiltIn;
  const adding = useFormDialog("new-route", canWrite);
  const [edited, setEdited] = useState<number | null>(null);
  const form = useLateEditForm(schema, toRouteValues(saved));
  const { changed: _, ...saving } = useSaveChanges(form, {
    saved,
    action: saveModelRoutes,
    refetch: ["retrieveModelRoutes", "listOrganizationModels", "retrieveModelRouteActivity"],
    names,
    toInput: ({ routes = [] }, { id, version }) => ({ modelId: id, routes: toModelRoutes(routes), version }),
    toValues: toRouteValues,
  });
  const { routes } = useWatch({ control: form.control }) as { routes: RouteValue[] };
  const refusal = form.formState.errors.routes?.root?.message ?? form.formState.errors.routes?.message;
  const change = (next: RouteValue[]) =>
    form.setValue("routes", next, { shouldDirty: true, shouldValidate: true });
  return (
    <>
      <Form
        form={form}
        name={`routes-${saved.id}`}
        what="the routes"
        isEdit
        labels={labels}
        className="grid gap-3"
        onSubmit={saving.save}
      >
        {isBuiltIn ? (
          <Notice title="Only the sandbox answers this model">
            Add a model of your own to route its calls.
          </Notice>
        ) : (
          !canWrite && <ReadOnlyNotice what="the routes" permission="api.models.write" />
        )}
        <RouteGroups
          routes={routes}
          activity={activity}
          canWrite={canWrite}
          change={change}
          editAt={setEdited}
        />
        {refusal && <p className="text-sm text-danger">{refusal}</p>}
        {canWrite && (
          <div className="flex flex-wrap gap-2">
            <Button onClick={adding.open} disabled={routes.length >= MAX_ROUTES}>
              <Plus aria-hidden className="size-4" />
              Add route
            </Button>
            {saved.changed_at !== null && <TakeBack saved={saved} />}
          </div>
        )}
        {activity && saving.changeCount > 0 && (
          <RouteSimulation modelId={saved.id} routes={routes} currency={model?.currency} />
        )}
        <SaveFooter saving={saving} labels={labels} nothing="No route" canWrite={canWrite} />
      </Form>
      <RouteDialogs
        routes={routes}
        currency={model?.price ? model.currency : ""}
        adding={adding}
        edited={edited}
        endEdit={() => setEdited(null)}
        change={change}
      />
    </>
  );
}

type RouteDialogsProps = Pick<RouteGroupsProps, "routes" | "change"> & {
  currency: string;
  adding: ReturnType<typeof useFormDialog>;
  /** The position of the route that is edited; null for none. */
  edited: number | null;
  endEdit: () => void;
};

function RouteDialogs({ routes, currency, adding, edited, endEdit, change }: RouteDialogsProps) {
  return (
    <>
      {adding.isOpen && (
        <RouteDialog
          route={null}
          currency={currency}
          save={(fields) => change(inGroups([...routes, addedAfter(routes, fields)]))}
          close={adding.close}
        />
      )}
      {edited !== null && routes[edited] && (
        <RouteDialog
          route={routes[edited]}
          currency={currency}
          save={(fields) => change(routes.map((one, at) => (at === edited ? { ...one, ...fields } : one)))}
          close={endEdit}
        />
      )}
    </>
  );
}

type RouteGroupsProps = Pick<RoutesFormProps, "activity" | "canWrite"> & {
  routes: readonly RouteValue[];
  change: (routes: RouteValue[]) => void;
  editAt: (position: number) => void;
};

function RouteGroups({ routes, activity, canWrite, change, editAt }: RouteGroupsProps) {
  const groups = [...new Set(routes.map(({ group }) => group))];
  return groups.map((group, at) => (
    <section key={group} aria-label={`Group ${group}`}>
      {at > 0 && <p className="px-3 pb-2 text-sm text-muted">when every route above fails or rests</p>}
      <div className="rounded-md border">
        <h2 className="flex flex-wrap items-baseline gap-x-2 border-b bg-default-soft px-3 py-2 font-medium">
          {group} {groupWords(at, groups.length)}
          {routes.filter((one) => one.group === group).length > 1 && (
            <GroupOrder
              group={group}
              order={routes.find((one) => one.group === group)?.order ?? "weight"}
              canWrite={canWrite}
              choose={(order) => change(routes.map((one) => (one.group === group ? { ...one, order } : one)))}
            />
          )}
        </h2>
        {routes.map((route, position) =>
          route.group === group ? (
            <RouteRow
              // biome-ignore lint/suspicious/noArrayIndexKey: two routes may be the same
              key={`${route.provider} ${route.model} ${position}`}
              routes={routes}
              position={position}
              activity={findActivity(activity, route)}
              canWrite={canWrite}
              edit={(fields) =>
                change(routes.map((one, index) => (index === position ? { ...one, ...fields } : one)))
              }
              openEditor={() => editAt(position)}
              move={(by) => change(moveRoute(routes, position, by))}
              remove={() => change(inGroups(routes.filter((_, index) => index !== position)))}
            />
          ) : null,
        )}
      </div>
    </section>
  ));
}

type GroupOrderProps = Pick<RoutesFormProps, "canWrite"> & {
  group: number;
  order: RouteValue["order"];
  choose: (order: RouteValue["order"]) => void;
};

/** How the routes of a group take turns. */
function GroupOrder({ group, order, canWrite, choose }: GroupOrderProps) {
  const select = (
    <select
      className="field h-8 w-auto text-sm font-normal pointer-coarse:h-11"
      aria-label={`Order of group ${group}`}
      value={order}
      onChange={({ target }) => choose(routeOrders.find((one) => one === target.value) ?? "weight")}
    >
      {routeOrders.map((one) => (
        <option key={one} value={one}>
          {orderWords[one]}
        </option>
      ))}
    </select>
  );
  return (
    <span className="flex flex-wrap items-baseline gap-x-2 text-sm font-normal text-muted">
      {canWrite ? select : orderWords[order]}
      <span>a session stays on its route</span>
    </span>
  );
}

function findActivity(activity: RouteActivity | null, { provider, model }: RouteValue) {
  return activity?.routes.find((one) => one.provider === provider && one.model === model) ?? null;
}

function TakeBack({ saved: { id, version } }: { saved: RoutesOfModel }) {
  return (
    <ConfirmedAction
      renderButton={(ask) => (
        <Button variant="ghost" onClick={ask}>
          Use the defined routes again
        </Button>
      )}
      title={`Use the routes that “${id}” was defined with?`}
      confirmLabel="Use defined routes"
      action={saveModelRoutes}
      input={{ modelId: id, routes: null, version }}
      refetch={["retrieveModelRoutes", "listOrganizationModels", "retrieveModelRouteActivity"]}
      done={() => "The defined routes hold again"}
      danger={false}
    >
      The next calls take them. The routes that hold now stay in the audit log.
    </ConfirmedAction>
  );
}

type RouteSimulationProps = {
  modelId: string;
  routes: readonly RouteValue[];
  currency: string | undefined;
};

const loadModels = () => import("@/lib/contract/operations/models/models");

/** What last week's calls would have become with the routes as they are typed. */
function RouteSimulation({ modelId, routes, currency }: RouteSimulationProps) {
  const draft = toModelRoutes(routes);
  const schemas = useLateModule(loadModels);
  const isValid =
    schemas?.modelRoutes.safeParse(draft).success === true && routes.every(({ weight }) => weight !== null);
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
