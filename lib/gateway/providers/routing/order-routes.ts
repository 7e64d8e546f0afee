import { listRouteGroups, USUAL_WEIGHT } from "@/lib/contract/calls/route-groups";
import { SECOND_MS } from "@/lib/contract/durations";
import type { ModelRoute } from "@/lib/contract/operations/models/models";

/** The figures that decide the order of routes within a group. */
interface RouteOrdering {
  readonly nowMs: number;
  /** Between 0 and 1 for each route, at random for a call or always the same for a session; 0 for last, 1 for first. */
  draw(route: ModelRoute): number;
  /** A route's recent latency or its cost, by which its group is ordered, least first. Null if it isn't known. */
  readonly measure?: ((route: ModelRoute, order: MeasuredOrder) => number | null) | undefined;
}

export type MeasuredOrder = Exclude<ModelRoute["order"], "weight" | undefined>;

/**
 * The routes in the order in which a call tries them: group by group, those of one in an order drawn by weight, or the
 * fastest or cheapest first.
 */
export function orderRoutes(
  routes: readonly ModelRoute[],
  { nowMs, draw, measure }: RouteOrdering,
): ModelRoute[] {
  const groups = findGroups(routes);
  return groups.flatMap((group) => {
    const running = group.filter((route) => isRunning(route, nowMs));
    if (running.length < 2) return running;
    // Of exponential times with the weights as rates, each is the first as often as its weight says.
    const timed = running.map((route) => ({ route, at: -Math.log(draw(route)) / weightOf(route) }));
    const drawn = timed
      .toSorted((one, other) => (one.at < other.at ? -1 : Number(one.at > other.at)))
      .map(({ route }) => route);
    const { order = "weight" } = group[0] ?? {};
    return measure && order !== "weight" ? leastFirst(drawn, (route) => measure(route, order)) : drawn;
  });
}

/** Routes without a figure stand last, in the order in which they were drawn. */
function leastFirst(
  drawn: readonly ModelRoute[],
  measure: (route: ModelRoute) => number | null,
): ModelRoute[] {
  const measured = drawn.map((route) => ({ route, value: measure(route) }));
  const most = Math.max(...measured.map(({ value }) => value ?? 0));
  return measured
    .toSorted((one, other) => (one.value ?? most) - (other.value ?? most))
    .map(({ route }) => route);
}

/** Whether a route gets calls: it has a weight, and its time isn't over. */
export function isRunning(route: ModelRoute, nowMs: number): boolean {
  return weightOf(route) > 0 && (route.ends_at === undefined || nowMs < route.ends_at * SECOND_MS);
}

const weightOf = ({ weight = USUAL_WEIGHT }: ModelRoute) => weight;

/** The catalogue replaces the list whenever routes change. */
const groupsByRoutes = new WeakMap<readonly ModelRoute[], ModelRoute[][]>();

function findGroups(routes: readonly ModelRoute[]): ModelRoute[][] {
  const known = groupsByRoutes.get(routes);
  if (known) return known;
  const groups = listRouteGroups(routes);
  groupsByRoutes.set(routes, groups);
  return groups;
}
