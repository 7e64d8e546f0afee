import type { RoutesOfModel } from "@/lib/contract/operations/models/model-routes";
import type { ModelRoute } from "@/lib/contract/operations/models/models";

/** A route as it is edited. `weight` is null while none is typed. */
export type RouteValue = Omit<RoutesOfModel["routes"][number], "weight"> & { weight: number | null };

export const MAX_ROUTES = 10;

export function toRouteValues({ routes }: Pick<RoutesOfModel, "routes">): { routes: RouteValue[] } {
  return { routes: routes.map((route) => ({ ...route })) };
}

/** The routes as the gateway takes them. */
export function toModelRoutes(routes: readonly RouteValue[]): ModelRoute[] {
  return routes.map(({ weight, context_window, ends_at, price, ended_early, ...route }) => ({
    ...route,
    weight: weight ?? 0,
    ...(context_window !== null && { context_window }),
    ...(ends_at !== null && { ends_at }),
    ...(price !== null && { price }),
    ...(ended_early !== null && { ended_early }),
  }));
}

/** The routes in the order of their groups, whose numbers begin at 1 and leave none out. */
export function inGroups(routes: readonly RouteValue[]): RouteValue[] {
  const numbers = [...new Set(routes.map(({ group }) => group))].toSorted((one, other) => one - other);
  return routes
    .map((route) => ({ ...route, group: numbers.indexOf(route.group) + 1 }))
    .toSorted((one, other) => one.group - other.group);
}

/** A new route in a group of its own, after the others. */
export function addedAfter(
  routes: readonly RouteValue[],
  fields: Omit<RouteValue, "group" | "weight" | "order">,
): RouteValue {
  return { ...fields, group: (routes.at(-1)?.group ?? 0) + 1, weight: 100, order: "weight" };
}

/**
 * Moves a route a step up or down: to the group beside its own, or out of a shared group into a new one of its own.
 */
export function moveRoute(routes: readonly RouteValue[], position: number, by: -1 | 1): RouteValue[] {
  const moved = routes[position];
  if (!moved) return [...routes];
  const isShared = routes.filter(({ group }) => group === moved.group).length > 1;
  // Halves stand between two groups until they are numbered again.
  const group = moved.group + (isShared ? by / 2 : by);
  // It takes the order of the group that it joins.
  const { order } = routes.find((route, at) => at !== position && route.group === group) ?? moved;
  return inGroups(routes.map((route, at) => (at === position ? { ...route, group, order } : route)));
}

/** What part of its group's calls a route gets, from 0 to 1; null where its group has no weight. */
export function findShare(routes: readonly RouteValue[], { group, weight }: RouteValue): number | null {
  const sum = routes.reduce((total, one) => total + (one.group === group ? (one.weight ?? 0) : 0), 0);
  return sum === 0 ? null : (weight ?? 0) / sum;
}
