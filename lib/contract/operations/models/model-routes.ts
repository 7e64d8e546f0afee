import * as z from "zod/mini";
import { attemptCauses } from "../../calls/attempt-cause";
import { routeOrders } from "../../calls/route-groups";
import { defineOperations } from "../../operation";
import { decimal, unixSeconds } from "../../schema";
import { markUnversioned, withVersion } from "../../version";
import { modelRoutePrice, modelRoutes } from "./models";

const shownRoute = z.object({
  provider: z.string(),
  /** The model's name at the provider. */
  model: z.string(),
  group: z.int(),
  weight: z.int(),
  order: z.enum(routeOrders),
  context_window: z.nullable(z.int()),
  ends_at: z.nullable(unixSeconds),
  /** What its provider charges; null: the model's price. */
  price: z.nullable(modelRoutePrice),
  /** Why the gateway ended it before its time; null for any other. */
  ended_early: z.nullable(z.string()),
});

const routesOfModel = withVersion(
  z.object({
    object: z.literal("organization.model.routes"),
    /** The model's id. */
    id: z.string(),
    routes: z.array(shownRoute),
    /** When they were changed last; null while they are as the model defines them. */
    changed_at: markUnversioned(z.nullable(unixSeconds)),
  }),
);
export type RoutesOfModel = z.output<typeof routesOfModel>;

/**
 * Whether a route gets calls. The last call of one that is `failing` failed; `off` has no weight, `ended` is past its
 * end, `resting` is at its provider's limit, and `open` is a circuit breaker, which tries again at `until`.
 * `misconfigured` refused our key or its name.
 */
const routeStates = ["healthy", "failing", "off", "ended", "resting", "open", "misconfigured"] as const;

const milliseconds = z.nullable(z.int());

const activeRoute = z.object({
  provider: z.string(),
  model: z.string(),
  /** Attempts on the route, and those that failed by the route's fault. */
  attempts: z.int(),
  errors: z.int(),
  first_byte_p50_ms: milliseconds,
  first_byte_p95_ms: milliseconds,
  /** In the process that answers this request. */
  state: z.enum(routeStates),
  until: z.nullable(unixSeconds),
  /** What failed last, and how to mend it; null while it is healthy. */
  cause: z.nullable(z.string()),
});
export type ActiveRoute = z.output<typeof activeRoute>;

const routedCall = z.object({
  /** The call's id. */
  id: z.string(),
  at: unixSeconds,
  answered: z.boolean(),
  duration_ms: milliseconds,
  attempts: z.array(
    z.object({
      provider: z.string(),
      model: z.string(),
      cause: z.nullable(z.enum(attemptCauses)),
      status: milliseconds,
    }),
  ),
});

const routeActivity = z.object({
  object: z.literal("organization.model.route_activity"),
  id: z.string(),
  /** From when on every call is counted: an hour ago, or later where there are very many. */
  start_time: unixSeconds,
  calls: z.int(),
  answered: z.int(),
  /** Answered by another route than the first that was tried. */
  by_fallback: z.int(),
  routes: z.array(activeRoute),
  causes: z.array(z.object({ cause: z.enum(attemptCauses), attempts: z.int() })),
  /** The way of the newest calls, newest first. */
  recent: z.array(routedCall),
});
export type RouteActivity = z.output<typeof routeActivity>;

const routedOutcome = z.object({
  answered: z.int(),
  by_fallback: z.int(),
  first_byte_p95_ms: milliseconds,
  /** What the providers charge at present prices for the calls that are answered as it was and with the draft. */
  cost: decimal,
});

const routeSimulation = z.object({
  object: z.literal("organization.model.route_simulation"),
  id: z.string(),
  /** From when on every call is replayed: a week ago, or later where there are very many. */
  start_time: unixSeconds,
  calls: z.int(),
  as_it_was: routedOutcome,
  with_draft: routedOutcome,
  /** Calls that the draft sends to a route of which nothing is known: they count as answered, without a time. */
  unmeasured: z.int(),
});
export type RouteSimulation = z.output<typeof routeSimulation>;

const modelRoutesDraft = z.strictObject({
  /** Null: those that the model was defined with. */
  routes: z.nullable(modelRoutes),
});

const path = "/organization/models/{model_id}/routes";

export const modelRouteOperations = defineOperations(
  { surface: "v1 and origin" },
  {
    retrieveModelRoutes: {
      method: "GET",
      path,
      scope: "any project",
      permission: "api.models.read",
      summary: "Returns the routes of a model's calls, with the group and the weight of each.",
      reply: routesOfModel,
    },
    retrieveModelRouteActivity: {
      method: "GET",
      path: `${path}/activity`,
      scope: "organization",
      permission: "api.providers.read",
      summary:
        "Tells how a model's calls of the last hour went: by route, by what failed, and the way of the newest ones.",
      reply: routeActivity,
    },
    simulateModelRoutes: {
      method: "POST",
      effect: "acts",
      path: `${path}/simulate`,
      scope: "organization",
      permission: "api.providers.read",
      summary:
        "Replays the last week's calls of a model with other routes, with the times and failures measured then. Changes nothing.",
      body: z.strictObject({ routes: modelRoutes }),
      reply: routeSimulation,
    },
    saveModelRoutes: {
      method: "POST",
      effect: "edits",
      path,
      scope: "organization",
      permission: "api.models.write",
      summary:
        "Replaces the routes of a model's calls, from the next call on. Calls under way stay with their provider.",
      body: modelRoutesDraft,
      reply: routesOfModel,
    },
  },
);
