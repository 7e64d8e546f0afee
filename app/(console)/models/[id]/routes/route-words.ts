import type { Tone } from "@/components/ui/status";
import type { AttemptCause } from "@/lib/contract/calls/attempt-cause";
import type { ActiveRoute, RoutesOfModel } from "@/lib/contract/operations/models/model-routes";
import type { ModelRoute } from "@/lib/contract/operations/models/models";

/** Each cause in words, and where a call goes on after it. */
export const causeWords: Readonly<
  Record<AttemptCause, { readonly short: string; readonly what: string; readonly next: string }>
> = {
  no_connection: { short: "no connection", what: "No connection", next: "another provider" },
  no_answer: {
    short: "no answer",
    what: "No answer in time, or the connection was lost",
    next: "next route",
  },
  rate_limited: {
    short: "429",
    what: "429 from the provider",
    next: "next route; this one rests as long as the provider asks",
  },
  server_error: {
    short: "5xx",
    what: "500, 502, 503, 529",
    next: "next route; tried once more if there is no other",
  },
  timed_out: { short: "timeout", what: "408, 504", next: "next route" },
  misconfigured: {
    short: "setup",
    what: "401, 403, 404: wrong key or address",
    next: "next route; the fault is shown here",
  },
  empty_account: { short: "no credit", what: "402, or 429 without credit", next: "another provider" },
  request_refused: {
    short: "refused",
    what: "400, 413, 422, content filter",
    next: "return the error; a prompt that is too long goes to a route with a longer context window",
  },
  other_refusal: { short: "refused", what: "Another refusal, such as 409", next: "next route" },
  broken_answer: {
    short: "broke off",
    what: "Fails after the first byte",
    next: "return the error: part of the answer was already sent",
  },
};

export const stateWords: Readonly<
  Record<ActiveRoute["state"], { readonly tone: Tone; readonly words: string }>
> = {
  healthy: { tone: "good", words: "healthy" },
  failing: { tone: "near", words: "its last call failed" },
  off: { tone: "neutral", words: "off: no weight" },
  ended: { tone: "neutral", words: "ended" },
  resting: { tone: "near", words: "rests after a 429" },
  open: { tone: "bad", words: "circuit open" },
  misconfigured: { tone: "bad", words: "set up wrongly" },
};

/** How routes of a group take turns. */
export const orderWords = {
  weight: "shared by weight",
  latency: "fastest of 15 minutes first",
  price: "cheapest provider first",
} as const;

/** What stands between two groups, and above the first. */
export const groupWords = (position: number, count: number): string =>
  position === 0 ? "First" : position === count - 1 && count > 2 ? "Last" : "Then";

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
