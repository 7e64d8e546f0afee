import { MINUTE_MS, SECOND_MS } from "@/lib/contract/durations";
import type { ModelRoute } from "@/lib/contract/operations/models/models";
import { AddressNotAllowed } from "../../http/outbound/allowed-addresses";
import { Refusal } from "../../refusal";
import { findConnection } from "../open-connection";
import type { ProviderConnection } from "../provider-connection";
import { ProviderRefusal, providerSaturated } from "../provider-failure";
import { isKeysFailure } from "../provider-keys";
import type { Providers } from "../provider-links";
import { FieldRefusal } from "../refused-fields";
import type { FailureCause } from "./failure-cause";

/** How often a call is sent at most. Attempts that no server took don't count. */
const MAX_SENT = 3;
/** No attempt begins later, so that a call ends before its hold: clients wait for ten minutes. */
const ATTEMPTS_WITHIN_MS = 11 * MINUTE_MS;
/** A route that took longer to fail is not asked again by the same call. */
const QUICK_MS = 30 * SECOND_MS;
/** The longest rest that is waited for where there is no other route. */
const LONGEST_WAIT_MS = 2 * SECOND_MS;
/** A field is refused at once. Later, a repeat could outlive the call's hold. */
const FIELD_REPEAT_MS = MINUTE_MS;

interface FailedAttempt {
  /** The call's routes, in the order in which it tries them. */
  readonly routes: readonly ModelRoute[];
  /** Those that it has tried. */
  readonly tried: readonly ModelRoute[];
  /** The window of the model; null if it isn't known. */
  readonly contextWindow: number | null;
  readonly failed: ProviderConnection;
  readonly failure: unknown;
  readonly session: bigint | null;
  /** Since the call's first connection. */
  readonly elapsedMs: number;
  /** Between 0 and 1. */
  readonly jitter: () => number;
}

/** The next attempt of a call, to be sent after a wait. */
export interface NextAttempt {
  readonly connection: ProviderConnection;
  readonly waitMs: number;
}

/**
 * Decides where a call goes on after a failure, before anything was answered: on the next route that may help, or once
 * more on the same one where there is no other. Null where it ends.
 * @throws Refusal 503 where the provider would be asked again for a refused field and has no place.
 */
export function chooseRoute(providers: Providers, attempt: FailedAttempt): NextAttempt | null {
  const { failed, failure, elapsedMs } = attempt;
  if (failed.wasEndedByCaller) return null;
  if (failure instanceof FieldRefusal) return repeatWithoutField(providers, attempt);
  const cause = findCause(failure);
  const sentBefore = failed.sentBefore + (failed.isSent ? 1 : 0);
  if (cause === null || sentBefore >= MAX_SENT || elapsedMs > ATTEMPTS_WITHIN_MS) return null;
  const { pair, link, route } = failed;
  const { session } = attempt;
  if (isKeysFailure(failure) && link.keys.areSeveral && link.keys.leftMs(route.model) === 0) {
    const byAnotherKey = findConnection(providers, { routes: [route], pair, session, sentBefore });
    if (byAnotherKey) return { connection: byAnotherKey, waitMs: 0 };
  }
  const routes = attempt.routes.filter(
    (other) => !attempt.tried.includes(other) && mayHelp(other, cause, attempt),
  );
  const connection =
    routes.length > 0 ? findConnection(providers, { routes, pair, session, sentBefore }) : null;
  if (connection) return { connection, waitMs: 0 };
  const waitMs = failed.isRepeat ? null : findRepeatWait(cause, attempt);
  if (waitMs === null) return null;
  const again = findConnection(providers, { routes: [route], pair, session, sentBefore, isRepeat: true });
  return again && { connection: again, waitMs };
}

/** Null for what is no failure of a provider, or came after its answer had begun: such a call doesn't go on. */
function findCause(failure: unknown): FailureCause | null {
  if (failure instanceof ProviderRefusal) return failure.why === "odd_answer" ? null : failure.why;
  return failure instanceof Refusal && failure.code === "context_length_exceeded" ? "context_too_long" : null;
}

/** Whether another route may answer what one has failed with this cause. */
function mayHelp(
  route: ModelRoute,
  cause: FailureCause,
  { failed, contextWindow }: Pick<FailedAttempt, "failed" | "contextWindow">,
): boolean {
  if (cause === "no_connection" || cause === "empty_account") return route.provider !== failed.route.provider;
  if (cause !== "context_too_long") return true;
  const [window, tooShort] = [route, failed.route].map((one) => one.context_window ?? contextWindow);
  return !!window && !!tooShort && window > tooShort;
}

/** How long to wait before the same route is asked again; null where that is of no use. */
function findRepeatWait(
  cause: FailureCause,
  { failed, failure, jitter }: Pick<FailedAttempt, "failed" | "failure" | "jitter">,
): number | null {
  if (cause === "stale_connection") return 0;
  if (cause !== "server_error" && cause !== "lost_connection" && cause !== "no_connection") return null;
  const tookMs = failed.link.clock.monotonicMs() - failed.startedAtMs;
  const { restMs = null, cause: reason = null } = failure instanceof ProviderRefusal ? failure : {};
  if (tookMs > QUICK_MS || (restMs ?? 0) > LONGEST_WAIT_MS || reason instanceof AddressNotAllowed)
    return null;
  return Math.round((restMs ?? 50) + 200 * jitter());
}

/** The same provider again, at once: it refused a field of the gateway, and has generated nothing. */
function repeatWithoutField(
  providers: Providers,
  { elapsedMs, failed: { route, pair, sentBefore, isRepeat } }: FailedAttempt,
): NextAttempt | null {
  if (elapsedMs > FIELD_REPEAT_MS) return null;
  const connection = findConnection(providers, { routes: [route], pair, sentBefore, isRepeat });
  if (!connection) throw providerSaturated();
  return { connection, waitMs: 0 };
}
