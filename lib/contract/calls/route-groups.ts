/** The share of calls of a route that names none, against the others of its group. */
export const USUAL_WEIGHT = 100;

interface Grouped {
  readonly group?: number | undefined;
}

/** The number of each route's group: its own, or for a route without one the next after the route before it. */
export function numberGroups(routes: readonly Grouped[]): number[] {
  let last = 0;
  return routes.map(({ group }) => {
    last = group ?? last + 1;
    return last;
  });
}

/** The routes by group, in the order in which groups are tried. */
export function listRouteGroups<Route extends Grouped>(routes: readonly Route[]): Route[][] {
  const groups = new Map<number, Route[]>();
  const numbers = numberGroups(routes);
  for (const [position, route] of routes.entries()) {
    const number = numbers[position] ?? 0;
    groups.set(number, [...(groups.get(number) ?? []), route]);
  }
  return [...groups.entries()].toSorted(([one], [other]) => one - other).map(([, group]) => group);
}

interface Ordered {
  readonly order?: string | undefined;
  readonly price?: object | null | undefined;
}

export const hasOneOrder = (group: readonly Ordered[]) =>
  new Set(group.map(({ order = "weight" }) => order)).size === 1;

/** Whether there is a cheapest route in a group in the order of price. */
export const hasPriceToCompare = (group: readonly Ordered[]) =>
  group[0]?.order !== "price" || group.some(({ price }) => price);

/** How routes of a group take turns. */
export const routeOrders = ["weight", "latency", "price"] as const;
