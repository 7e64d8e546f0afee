import { type ChangeRequest, change } from "../../changes/change";
import { conflict } from "../../refusal";
import type { ModelContext } from "../model-context";
import { findProvider } from "./find-provider";
import { refusePredefined } from "./refuse-predefined";

/**
 * Removes a provider with its key.
 * @throws Refusal 404; 403 for a built-in or configured one; 409 while a model is routed to it.
 */
export function deleteProvider(context: ModelContext, request: ChangeRequest, id: string): Promise<void> {
  const { directory, providers, catalogue } = context;
  return change(context, request, async (transaction) => {
    refusePredefined(findProvider(directory, id), "removed");
    const routed = catalogue.list().filter(({ routes }) => routes.some((route) => route.provider === id));
    if (routed.length > 0) {
      const models = routed.map((model) => model.id).join(", ");
      throw conflict("provider_id", `"${id}" answers calls to ${models}; it can't be removed.`, "in_use");
    }
    await providers.delete(transaction, id);
  });
}
