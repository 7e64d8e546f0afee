import { listRouteGroups } from "@/lib/contract/calls/route-groups";
import { DAY_MS, MINUTE_MS } from "@/lib/contract/durations";
import type { ModelRoute } from "@/lib/contract/operations/models/models";
import { type ChangeContext, systemChange } from "../../changes/change";
import { type ClockAndRandom, toUnixSeconds } from "../../clock";
import type { Catalogue } from "../../models/catalogue";
import type { ModelStore } from "../../models/model-store.sql";
import { isRunning } from "../../providers/routing/order-routes";
import type { RouteActivity, RouteActivityReader } from "./describe-routes";

const EVERY_MS = MINUTE_MS;
/** Fewer calls, of the canary or of the others, tell too little. */
const MIN_CALLS = 50;
/** When a canary is plainly worse: this many times the others' share of failures, and this much above it. */
const TIMES_WORSE = 3;
const SHARE_WORSE = 0.05;

interface CanaryContext extends ChangeContext {
  readonly catalogue: Pick<Catalogue, "list" | "find">;
  readonly models: Pick<ModelStore, "routes">;
  readonly routeActivity: RouteActivityReader;
  readonly runtime: Pick<ClockAndRandom, "clock">;
}

/** Looks at the canaries once a minute. @returns a function that ends it. */
export function openCanaryWatch(
  context: CanaryContext,
  logFault: (where: string, error: unknown) => void,
): () => Promise<void> {
  let underWay: Promise<void> | null = null;
  const look = () => {
    underWay ??= endFailingCanaries(context)
      .catch((error: unknown) => logFault("canaries", error))
      .finally(() => {
        underWay = null;
      });
  };
  const timer = setInterval(look, EVERY_MS).unref();
  return async () => {
    clearInterval(timer);
    await underWay;
  };
}

/**
 * Ends each canary that fails plainly more often than the other routes of its group, since the routes were changed or
 * within a day. A canary is a route with an end, beside a route without one.
 */
export async function endFailingCanaries(context: CanaryContext): Promise<void> {
  const { catalogue, models, routeActivity, runtime } = context;
  for (const { id, routes, routedAtMs } of catalogue.list()) {
    const nowMs = runtime.clock.nowMs();
    const canaries = findCanaries(routes, nowMs);
    if (canaries.length === 0) continue;
    const fromMs = Math.max(nowMs - DAY_MS, routedAtMs ?? 0);
    const activity = await routeActivity.routeActivity(id, fromMs);
    const ended = canaries.flatMap(({ route, others }) => {
      const why = findWhyToEnd(route, others, activity.routes);
      return why === null ? [] : [{ route, why }];
    });
    if (ended.length === 0) continue;
    await systemChange(context, "failing canary", async (transaction) => {
      // If the routes were changed meanwhile, the figures belong to the former routes.
      if (catalogue.find(id)?.routes !== routes) return;
      const ends_at = toUnixSeconds(nowMs);
      const changed = routes.map((one) => {
        const found = ended.find(({ route }) => route === one);
        return found ? { ...one, ends_at, ended_early: found.why } : one;
      });
      await models.routes.save(transaction, { model: id, routes: changed, updatedAtMs: nowMs });
    });
  }
}

interface Canary {
  readonly route: ModelRoute;
  /** The routes without an end that share its group's calls. */
  readonly others: readonly ModelRoute[];
}

function findCanaries(routes: readonly ModelRoute[], nowMs: number): Canary[] {
  if (routes.every(({ ends_at }) => ends_at === undefined)) return [];
  return listRouteGroups(routes).flatMap((group) => {
    const running = group.filter((route) => isRunning(route, nowMs));
    const others = running.filter(({ ends_at }) => ends_at === undefined);
    if (others.length === 0) return [];
    return running.filter(({ ends_at }) => ends_at !== undefined).map((route) => ({ route, others }));
  });
}

type Counts = Pick<RouteActivity["routes"][number], "attempts" | "errors">;

/** Null where a canary goes on. */
function findWhyToEnd(
  route: ModelRoute,
  others: readonly ModelRoute[],
  counted: RouteActivity["routes"],
): string | null {
  const own = sum([route], counted);
  const rest = sum(others, counted);
  if (own.attempts < MIN_CALLS || rest.attempts < MIN_CALLS) return null;
  const [share, usual] = [own, rest].map(({ errors, attempts }) => errors / attempts) as [number, number];
  if (share <= TIMES_WORSE * usual || share <= usual + SHARE_WORSE) return null;
  return `Ended early: ${own.errors} of its ${own.attempts} calls failed, and ${rest.errors} of ${rest.attempts} on the other routes of its group.`;
}

function sum(routes: readonly ModelRoute[], counted: RouteActivity["routes"]): Counts {
  const found = counted.filter(({ provider, model }) =>
    routes.some((route) => route.provider === provider && route.model === model),
  );
  return {
    attempts: found.reduce((total, { attempts }) => total + attempts, 0),
    errors: found.reduce((total, { errors }) => total + errors, 0),
  };
}
