import { HOUR_MS } from "@/lib/contract/durations";
import type { ModelRoute } from "@/lib/contract/operations/models/models";
import type { TableCache } from "../changes/table-cache";
import type { Clock } from "../clock";
import type { Provider, ProviderDirectory } from "../models/providers/provider-directory";
import { Refusal, retryAfter } from "../refusal";
import type { OpenCircuit } from "./circuit";
import { describeFailureCause } from "./explain-failure";
import { createProviderClient } from "./provider-kinds";
import { ProviderLink } from "./provider-link";

/** The configured and stored providers, and the links to them. */
export interface Providers {
  readonly directory: Pick<ProviderDirectory, "find">;
  readonly links: ProviderLinks;
}

/** The link to each provider, created on its first call and dropped with the provider. */
export class ProviderLinks {
  readonly #byProvider = new WeakMap<Provider, ProviderLink>();
  readonly sessions: StickySessions;

  constructor(
    private readonly clock: Clock,
    private readonly createClient = createProviderClient,
  ) {
    this.sessions = new StickySessions(clock);
  }

  nowMs(): number {
    return this.clock.nowMs();
  }

  /** All open circuit breakers of this process. */
  openCircuits(directory: Pick<ProviderDirectory, "list">): { provider: string; model: string }[] {
    return directory.list().flatMap((provider) =>
      this.to(provider)
        .circuits.list()
        .map(({ model }) => ({ provider: provider.id, model })),
    );
  }

  /** Follows the circuit breakers that are closed by hand, in any process. */
  followingClosings(directory: Pick<ProviderDirectory, "find">): TableCache {
    return {
      load: async () => {},
      reread: {
        circuit_closings: async ({ id, subjectId }) => {
          const provider = directory.find(id);
          if (provider && subjectId !== null) this.to(provider).circuits.close(subjectId);
        },
      },
    };
  }

  to(provider: Provider): ProviderLink {
    let link = this.#byProvider.get(provider);
    if (!link) {
      link = new ProviderLink(provider, this.clock, this.createClient);
      this.#byProvider.set(provider, link);
    }
    return link;
  }
}

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

const MAX_SESSIONS = 10_000;

interface Stay {
  readonly provider: string;
  readonly model: string;
  readonly untilMs: number;
}

/**
 * Which route answered each session last, so that it finds its prompt cached there: for an hour after its last call,
 * and the latest sessions only. In memory, separately in each process.
 */
class StickySessions {
  /** In the order of their last calls. */
  readonly #stays = new Map<bigint, Stay>();

  constructor(private readonly clock: Pick<Clock, "monotonicMs">) {}

  /** The route of these that answered the session last; undefined if there is none. */
  find(session: bigint, routes: readonly ModelRoute[]): ModelRoute | undefined {
    const stay = this.#stays.get(session);
    if (!stay || stay.untilMs <= this.clock.monotonicMs()) return undefined;
    return routes.find(({ provider, model }) => provider === stay.provider && model === stay.model);
  }

  note(session: bigint, { provider, model }: ModelRoute): void {
    this.#stays.delete(session);
    this.#stays.set(session, { provider, model, untilMs: this.clock.monotonicMs() + HOUR_MS });
    if (this.#stays.size <= MAX_SESSIONS) return;
    for (const oldest of this.#stays.keys()) {
      this.#stays.delete(oldest);
      break;
    }
  }
}
