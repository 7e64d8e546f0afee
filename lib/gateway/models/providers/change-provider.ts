import type { ProviderChange } from "@/lib/contract/operations/models/providers";
import { type ChangeRequest, change } from "../../changes/change";
import type { ModelContext } from "../model-context";
import { findProvider } from "./find-provider";
import type { Provider } from "./provider-directory";
import { toProviderLimits } from "./provider-limits";
import { refusePredefined } from "./refuse-predefined";

/**
 * Changes the settings of calls to a provider, for calls that begin from now on. Its circuits close, and fields that it
 * was found to refuse are tried again.
 * @throws Refusal 404; 403 for a built-in or configured one.
 */
export function changeProvider(
  context: ModelContext,
  request: ChangeRequest,
  id: string,
  draft: ProviderChange,
): Promise<Provider> {
  const { directory, providers } = context;
  return change(context, request, async (transaction) => {
    const provider = findProvider(directory, id);
    refusePredefined(provider, "changed");
    const { output_limit_field: limitField = provider.outputLimitField } = draft;
    const settings = {
      outputLimitField: limitField,
      timeouts: { ...provider.timeouts, ...draft.timeouts },
      refusedFields: draft.refused_fields ?? provider.refusedFields,
    };
    await providers.saveSettings(transaction, id, settings);
    return { ...provider, ...settings, limits: toProviderLimits(settings) };
  });
}
