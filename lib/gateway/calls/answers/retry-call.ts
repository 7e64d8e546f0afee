import { MINUTE_MS } from "@/lib/contract/durations";
import type { ServerReply } from "../../http/outbound/server-reply";
import { findConnection } from "../../providers/open-connection";
import type { ProviderConnection } from "../../providers/provider-connection";
import { ProviderRefusal, providerSaturated } from "../../providers/provider-failure";
import { FieldRefusal } from "../../providers/refused-fields";
import { Refusal } from "../../refusal";
import type { AdmittedCall, AnswerContext } from "./admitted-call";
import { fetchReply } from "./fetch-reply";

/** A field is refused at once. Later, a repeat could outlive the call's hold. */
const REPEAT_MS = MINUTE_MS;

/**
 * Retries a call after `error` with its hold, on the next routes, or on the same one where that helps. A request is
 * sent at most twice, not counting providers that it could not be sent to, and those that refused one of its fields.
 * @returns a 200.
 * @throws Refusal the first failure that no retry can help, or any after something was generated.
 */
export async function retryCall(
  context: AnswerContext,
  call: AdmittedCall,
  error: unknown,
): Promise<ServerReply> {
  for (let failure = error; ; ) {
    const failed = call.connection;
    failed.close();
    const next =
      failure instanceof FieldRefusal
        ? findRepeat(context, call, failed)
        : findNext(context, call, failed, failure);
    if (!next) throw failure;
    context.logFault(call.hold.requestId, `${failed.route.provider}: ${describeReason(failure)}`);
    if (failure instanceof FieldRefusal) call.repeatWithout(failure.field, next);
    else call.retryOn(next);
    try {
      return await fetchReply(call);
    } catch (again) {
      failure = again;
    }
  }
}

/** The same provider again, at once: it refused a field of the gateway, and has generated nothing. */
function findRepeat(
  context: AnswerContext,
  { elapsedMs }: AdmittedCall,
  { route, pair, cutoff, wasSentBefore }: ProviderConnection,
): ProviderConnection | null {
  if (cutoff !== null || elapsedMs > REPEAT_MS) return null;
  const next = findConnection(context, { routes: [route], pair, wasSentBefore });
  if (!next) throw providerSaturated();
  return next;
}

function describeReason(failure: unknown): string {
  return failure instanceof Refusal ? String(failure.cause ?? failure.message) : String(failure);
}

function findNext(
  context: AnswerContext,
  { model: { routes } }: AdmittedCall,
  failed: ProviderConnection,
  failure: unknown,
): ProviderConnection | null {
  if (!(failure instanceof ProviderRefusal) || failure.retry === "nowhere") return null;
  if (failed.cutoff !== null || (failed.isSent && failed.wasSentBefore)) return null;
  const { route } = failed;
  const laterRoutes = routes
    .slice(routes.indexOf(route) + 1)
    .filter(({ provider }) => provider !== route.provider);
  const candidates = failure.retry === "anywhere" ? [...laterRoutes, route] : laterRoutes;
  return findConnection(context, {
    routes: candidates,
    pair: failed.pair,
    wasSentBefore: failed.isSent || failed.wasSentBefore,
  });
}
