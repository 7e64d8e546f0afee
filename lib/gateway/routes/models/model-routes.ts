import { findAttemptCause } from "@/lib/contract/calls/attempt-cause";
import { numberGroups, USUAL_WEIGHT } from "@/lib/contract/calls/route-groups";
import { DAY_MS, HOUR_MS, SECOND_MS } from "@/lib/contract/durations";
import type {
  ActiveRoute,
  RouteActivity,
  RouteSimulation,
  RoutesOfModel,
} from "@/lib/contract/operations/models/model-routes";
import type { ModelRoute } from "@/lib/contract/operations/models/models";
import { formatAmount, parseCheckedAmount, ZERO } from "@/lib/money/amount";
import type { PriceSnapshot } from "@/lib/money/charge";
import { type ChangeRequest, change } from "../../changes/change";
import { toUnixSeconds } from "../../clock";
import type { RouteActivityReader } from "../../log/routes/describe-routes";
import type { RoutedCall } from "../../log/routes/routed-calls.sql";
import type { RoutedOutcome, RouteSimulator } from "../../log/routes/simulate-routes";
import type { CatalogueModel } from "../../models/catalogue";
import { toRouted } from "../../models/model-entry";
import {
  findModel,
  type ModelContext,
  refuseWrongProviders,
  refuseWrongRoutePrices,
} from "../../models/models";
import { describeFailureCause } from "../../providers/explain-failure";
import type { ProviderLinks, Providers } from "../../providers/provider-link";
import { isRunning } from "../../providers/routing/order-routes";
import { Refusal } from "../../refusal";
import type { Handlers } from "../handler";

const WEEK_MS = 7 * DAY_MS;

interface Context extends ModelContext {
  readonly routeActivity: RouteActivityReader & RouteSimulator;
  readonly links: ProviderLinks;
}

export function modelRouteRoutes(
  context: Context,
): Handlers<
  "retrieveModelRoutes" | "saveModelRoutes" | "retrieveModelRouteActivity" | "simulateModelRoutes"
> {
  const { catalogue } = context;
  return {
    retrieveModelRoutes: async ({ params }) => describeRoutes(findModel(catalogue, params.model_id)),
    saveModelRoutes: async ({ params, body, request }) =>
      describeRoutes(await saveModelRoutes(context, request, params.model_id, body.routes)),
    simulateModelRoutes: ({ params, body }) =>
      simulate(context, findModel(catalogue, params.model_id), body.routes),
    retrieveModelRouteActivity: ({ params }) => readActivity(context, findModel(catalogue, params.model_id)),
  };
}

function describeRoutes({ id, routes, routedAtMs }: CatalogueModel): RoutesOfModel {
  const groups = numberGroups(routes);
  return {
    object: "organization.model.routes",
    id,
    routes: routes.map((route, position) => ({
      provider: route.provider,
      model: route.model,
      group: groups[position] ?? 1,
      weight: route.weight ?? USUAL_WEIGHT,
      order: route.order ?? "weight",
      context_window: route.context_window ?? null,
      ends_at: route.ends_at ?? null,
      price: route.price ?? null,
      ended_early: route.ended_early ?? null,
    })),
    changed_at: routedAtMs === null ? null : toUnixSeconds(routedAtMs),
  };
}

async function simulate(
  { routeActivity, runtime, directory }: Context,
  model: CatalogueModel,
  routes: readonly ModelRoute[],
): Promise<RouteSimulation> {
  const { id, family, unitPrice } = model;
  refuseWrongProviders(directory.list(), { family, routes });
  refuseWrongRoutePrices({ routes, unitPrice });
  const fromMs = runtime.clock.nowMs() - WEEK_MS;
  const { sinceMs, calls, was, draft, unmeasured } = await routeActivity.simulateRoutes(id, fromMs, {
    routes,
    present: model.routes,
    price: findListPrice(model),
  });
  return {
    object: "organization.model.route_simulation",
    id,
    start_time: toUnixSeconds(sinceMs),
    calls,
    as_it_was: toOutcome(was),
    with_draft: toOutcome(draft),
    unmeasured,
  };
}

/** What providers charge without prices of their own. */
function findListPrice({ price, unitPrice, audioPrice }: CatalogueModel): PriceSnapshot {
  return {
    inputPer1m: ZERO,
    outputPer1m: ZERO,
    ...price,
    rate: parseCheckedAmount("1"),
    ...(unitPrice && { perUnit: unitPrice }),
    ...(audioPrice && { audio: audioPrice }),
  };
}

function toOutcome(outcome: RoutedOutcome): RouteSimulation["as_it_was"] {
  const { answered, byFallback, firstByteP95Ms, cost } = outcome;
  return { answered, by_fallback: byFallback, first_byte_p95_ms: firstByteP95Ms, cost: formatAmount(cost) };
}

async function readActivity(context: Context, { id, routes }: CatalogueModel): Promise<RouteActivity> {
  const fromMs = context.runtime.clock.nowMs() - HOUR_MS;
  const activity = await context.routeActivity.routeActivity(id, fromMs);
  const { sinceMs, calls, answered, byFallback, causes, recent } = activity;
  return {
    object: "organization.model.route_activity",
    id,
    start_time: toUnixSeconds(sinceMs),
    calls,
    answered,
    by_fallback: byFallback,
    routes: routes.map((route) => {
      const { provider, model } = route;
      const counts = activity.routes.find((one) => one.provider === provider && one.model === model);
      return {
        provider,
        model,
        attempts: counts?.attempts ?? 0,
        errors: counts?.errors ?? 0,
        first_byte_p50_ms: counts?.firstByteP50Ms ?? null,
        first_byte_p95_ms: counts?.firstByteP95Ms ?? null,
        ...describeRouteState(context, route),
      };
    }),
    causes: [...causes],
    recent: recent.map(toRoutedCall),
  };
}

function toRoutedCall({
  id,
  atMs,
  isAnswered,
  durationMs,
  attempts,
}: RoutedCall): RouteActivity["recent"][number] {
  return {
    id,
    at: toUnixSeconds(atMs),
    answered: isAnswered,
    duration_ms: durationMs,
    attempts: attempts.map((attempt) => {
      const { provider, model, status } = attempt;
      return { provider, model, cause: findAttemptCause(attempt), status };
    }),
  };
}

type RouteState = Pick<ActiveRoute, "state" | "until" | "cause">;

/** Whether a route gets calls in this process, and why not. */
function describeRouteState({ directory, links }: Providers, route: ModelRoute): RouteState {
  const nowMs = links.nowMs();
  if (route.weight === 0) return { state: "off", until: null, cause: null };
  if (!isRunning(route, nowMs))
    return { state: "ended", until: route.ends_at ?? null, cause: route.ended_early ?? null };
  const provider = directory.find(route.provider);
  if (!provider) {
    const cause = `There is no provider "${route.provider}" any more. Add it, or remove the route.`;
    return { state: "misconfigured", until: null, cause };
  }
  const link = links.to(provider);
  const circuit = link.circuits.list().find(({ model }) => model === route.model);
  const failure = circuit?.lastFailure ?? link.failures.ofModel(route.model)?.failure;
  const cause = failure ? describeFailureCause(failure, route) : null;
  if (circuit) return { state: "open", until: Math.ceil(circuit.nextTryAtMs / SECOND_MS), cause };
  if (link.misconfigurations.list().some(({ model }) => model === route.model))
    return { state: "misconfigured", until: null, cause };
  const restMs = link.keys.leftMs(route.model);
  if (restMs > 0) return { state: "resting", until: toUnixSeconds(nowMs + restMs), cause };
  return link.circuits.isFailing(route.model)
    ? { state: "failing", until: null, cause }
    : { state: "healthy", until: null, cause: null };
}

/**
 * Replaces a model's routes, from the next call on. @param routes null: those of its definition.
 * @throws Refusal 404 for an unknown model; 400 for a route to a wrong provider; 403 for a built-in model.
 */
export function saveModelRoutes(
  { catalogue, directory, models, runtime, ...context }: ModelContext,
  request: ChangeRequest,
  id: string,
  routes: readonly ModelRoute[] | null,
): Promise<CatalogueModel> {
  return change(context, request, async (transaction) => {
    const model = findModel(catalogue, id);
    if (model.source === "built_in") {
      const message = `"${id}" is built in and is answered by the sandbox alone. Route a model of your own.`;
      throw new Refusal(403, "permission_error", "predefined_model", message, { param: "routes" });
    }
    const routed = { ...model, ...toRouted(routes ?? model.definedRoutes) };
    refuseWrongProviders(directory.list(), routed);
    refuseWrongRoutePrices(routed);
    if (!routes) {
      await models.routes.delete(transaction, id);
      return { ...routed, routedAtMs: null };
    }
    const updatedAtMs = runtime.clock.nowMs();
    await models.routes.save(transaction, { model: id, routes, updatedAtMs });
    return { ...routed, routedAtMs: updatedAtMs };
  });
}
