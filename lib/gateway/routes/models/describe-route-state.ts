import { SECOND_MS } from "@/lib/contract/durations";
import type { ActiveRoute } from "@/lib/contract/operations/models/model-routes";
import type { ModelRoute } from "@/lib/contract/operations/models/models";
import { describeFailureCause } from "../../providers/explain-failure";
import type { Providers } from "../../providers/provider-links";
import { isRunning } from "../../providers/routing/order-routes";
import { toUnixSeconds } from "../../unix-seconds";

type RouteState = Pick<ActiveRoute, "state" | "until" | "cause">;

/** Whether a route gets calls in this process, and why not. */
export function describeRouteState({ directory, links }: Providers, route: ModelRoute): RouteState {
  const nowMs = links.nowMs();
  if (route.weight === 0) return { state: "off", until: null, cause: null };
  if (!isRunning(route, nowMs)) return { state: "ended", until: route.ends_at ?? null, cause: null };
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
