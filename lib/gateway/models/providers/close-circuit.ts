import { type ChangeRequest, change } from "../../changes/change";
import { notFound } from "../../refusal";
import type { ModelContext } from "../model-context";
import { findProvider } from "./find-provider";

/**
 * Closes a circuit breaker in every process, so that calls pass again at once. Does nothing if it is closed.
 * @param model the model's name at the provider.
 * @throws Refusal 404 for an unknown provider, and for a model that none of its routes leads to.
 */
export function closeCircuit(
  context: ModelContext,
  request: ChangeRequest,
  { providerId, model }: { readonly providerId: string; readonly model: string },
): Promise<void> {
  const { directory, catalogue, providers, effects } = context;
  return change(context, request, async (transaction) => {
    const { id: provider } = findProvider(directory, providerId);
    if (!catalogue.hasRoute(provider, model)) throw notFound("route to a model", model, "model");
    await providers.recordClosing(transaction, { provider, model, closedAtMs: effects.clock.nowMs() });
  });
}
