import type { ModelRoute } from "@/lib/contract/operations/models/models";
import { findCircuitRefusal } from "./find-circuit-refusal";
import { ProviderConnection } from "./provider-connection";
import { providerFailed, providerSaturated } from "./provider-failure";
import type { ProjectKeyPair } from "./provider-link";
import type { Providers } from "./provider-links";

/**
 * Reserves a place at the first route's provider that has one and whose circuit is closed.
 * @throws Refusal 502 or 503 where none has.
 */
export function openConnection(
  providers: Providers,
  routes: readonly ModelRoute[],
  { pair, session }: Pick<AskedRoutes, "pair" | "session">,
): ProviderConnection {
  const connection = findConnection(providers, { routes, pair, session });
  if (connection) return connection;
  const refusal = findCircuitRefusal(providers, routes);
  if (refusal) throw refusal;
  if (routes.some(({ provider }) => providers.directory.find(provider))) throw providerSaturated();
  throw providerFailed("None of the model's routes names a provider there is");
}

/** Like `openConnection`; null where no provider has a place. One that wants to be left alone is asked last. */
export function findConnection(providers: Providers, asked: AskedRoutes): ProviderConnection | null {
  const awake = asked.routes.length > 1 ? reserve(providers, asked, true) : null;
  return awake ?? reserve(providers, asked, false);
}

interface AskedRoutes {
  readonly routes: readonly ModelRoute[];
  readonly pair: ProjectKeyPair;
  readonly session?: bigint | null;
  readonly sentBefore?: number;
  readonly isRepeat?: boolean;
}

function reserve(
  { directory, links }: Providers,
  { routes, ...reserved }: AskedRoutes,
  skipsResting: boolean,
): ProviderConnection | null {
  for (const route of routes) {
    const provider = directory.find(route.provider);
    const link = provider && links.to(provider);
    if (!link || link.circuits.refusing(route.model)) continue;
    if ((skipsResting && link.keys.leftMs(route.model) > 0) || !link.enter(reserved.pair)) continue;
    const trial = link.circuits.begin(route.model);
    return new ProviderConnection(link, { route, ...reserved, trial });
  }
  return null;
}
