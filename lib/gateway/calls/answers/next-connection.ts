import { MINUTE_MS } from "@/lib/contract/durations";
import type { CatalogueModel } from "../../models/catalogue";
import { findConnection } from "../../providers/open-connection";
import type { ProviderConnection } from "../../providers/provider-connection";
import { ProviderRefusal, providerSaturated } from "../../providers/provider-failure";
import type { Providers } from "../../providers/provider-links";
import { FieldRefusal } from "../../providers/refused-fields";
import { Refusal } from "../../refusal";

/** A field is refused at once. Later, a repeat could outlive the call's hold. */
const REPEAT_MS = MINUTE_MS;

interface FailedAttempt {
  readonly routes: CatalogueModel["routes"];
  readonly failed: ProviderConnection;
  readonly failure: unknown;
  /** Since the call's first connection. */
  readonly elapsedMs: number;
}

/**
 * A connection on which a call may be sent again after a failure, given that nothing was generated; null for none.
 * @throws Refusal 503 where the provider would be asked again and has no place.
 */
export function findNextConnection(providers: Providers, attempt: FailedAttempt): ProviderConnection | null {
  const { failed, failure } = attempt;
  if (failed.cutoff !== null) return null;
  if (failure instanceof FieldRefusal) return findRepeat(providers, attempt);
  if (!(failure instanceof ProviderRefusal) || failure.retry === "nowhere") return null;
  if (failed.isSent && failed.wasSentBefore) return null;
  const { route, pair } = failed;
  const laterRoutes = attempt.routes
    .slice(attempt.routes.indexOf(route) + 1)
    .filter(({ provider }) => provider !== route.provider);
  const routes = failure.retry === "anywhere" ? [...laterRoutes, route] : laterRoutes;
  return findConnection(providers, { routes, pair, wasSentBefore: failed.isSent || failed.wasSentBefore });
}

/** The same provider again, at once: it refused a field of the gateway, and has generated nothing. */
function findRepeat(
  providers: Providers,
  { elapsedMs, failed: { route, pair, wasSentBefore } }: FailedAttempt,
): ProviderConnection | null {
  if (elapsedMs > REPEAT_MS) return null;
  const next = findConnection(providers, { routes: [route], pair, wasSentBefore });
  if (!next) throw providerSaturated();
  return next;
}

export function describeReason(failure: unknown): string {
  return failure instanceof Refusal ? String(failure.cause ?? failure.message) : String(failure);
}
