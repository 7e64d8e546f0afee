import type { ServerReply } from "../../outbound/server-reply";
import { Refusal } from "../../refusal";
import { findConnection } from "../upstream/open-connection";
import type { ProviderConnection } from "../upstream/provider-connection";
import { ProviderRefusal } from "../upstream/provider-failure";
import type { AdmittedCall, AnswerContext } from "./admitted-call";
import { fetchReply } from "./fetch-reply";

/**
 * Retries a call after `error` with its hold, on the next routes, or on the same one where that helps. A request is
 * sent at most twice, not counting providers that it could not be sent to.
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
    const next = findNext(context, call, failed, failure);
    if (!next) throw failure;
    context.logFault(call.hold.requestId, `${failed.route.provider}: ${describeReason(failure)}`);
    call.retryOn(next);
    try {
      return await fetchReply(call);
    } catch (again) {
      failure = again;
    }
  }
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
