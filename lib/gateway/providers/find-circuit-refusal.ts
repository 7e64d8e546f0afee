import type { ModelRoute } from "@/lib/contract/operations/models/models";
import { Refusal, retryAfter } from "../refusal";
import type { OpenCircuit } from "./circuit";
import { describeFailureCause } from "./explain-failure";
import type { Providers } from "./provider-links";

/**
 * Returns a 503 if the circuits of all routes are open: the refusal of the route that is tried again first. Null
 * if any route's circuit lets the call pass, even if its provider has no free place.
 */
export function findCircuitRefusal(
  { directory, links }: Providers,
  routes: readonly ModelRoute[],
): Refusal | null {
  let soonest: { readonly route: ModelRoute; readonly circuit: OpenCircuit } | null = null;
  for (const route of routes) {
    const provider = directory.find(route.provider);
    if (!provider) continue;
    const circuit = links.to(provider).circuits.refusing(route.model);
    if (!circuit) return null;
    if (!soonest || circuit.nextTryAtMs < soonest.circuit.nextTryAtMs) soonest = { route, circuit };
  }
  return soonest && circuitOpen(soonest.route, soonest.circuit, links.nowMs());
}

/** Only callers who may read providers see which provider it is, and why it failed. */
function circuitOpen(route: ModelRoute, circuit: OpenCircuit, nowMs: number): Refusal {
  const { failures, threshold, nextTryAtMs, isTrying, lastFailure } = circuit;
  const waitMs = Math.max(1_000, Math.ceil(nextTryAtMs - nowMs));
  const seconds = Math.ceil(waitMs / 1_000);
  const until = isTrying
    ? "until the trial call that is under way succeeds"
    : `until ${new Date(nextTryAtMs).toISOString().slice(11, 19)} UTC, when one is let through as a trial`;
  const rest = `Nothing was sent or charged; try again in ${seconds} s.`;
  const figures = { failures, threshold, retry_in_ms: waitMs };
  const message = `The circuit breaker refused the call: the model's provider has failed ${failures} calls in a row, and gets none ${until}. ${rest}`;
  const providerName = `provider "${route.provider}"`;
  return new Refusal(503, "service_error", "circuit_open", message, {
    headers: retryAfter(seconds),
    circuit: figures,
    fuller: {
      permission: "api.providers.read",
      projectId: null,
      message: `The circuit breaker of ${providerName} refused the call: it has failed ${failures} calls of "${route.model}" in a row, and gets none ${until}. ${describeFailureCause(lastFailure, route)} ${rest}`,
      circuit: { ...figures, provider: route.provider, provider_model: route.model },
    },
  });
}
