import type { ProviderDraft } from "@/lib/contract/operations/providers";
import { conflict } from "../ports/refusal";
import { toHosted } from "./load-provider-directory";
import type { ModelContext } from "./model-context";
import type { Provider } from "./provider-directory";
import { usualProviderLimits } from "./provider-limits";

/** Adds a provider; models can be routed to it at once. @throws Refusal 409 for an id there is. */
export async function createProvider(
  { directory, providers, inTurn, effects }: ModelContext,
  draft: ProviderDraft,
): Promise<Provider> {
  return inTurn(async () => {
    if (directory.find(draft.id)) {
      throw conflict("id", `There is a provider "${draft.id}" already; give this one another id.`);
    }
    const hosted = toHosted(draft);
    await providers.insert({ ...hosted, createdAtMs: effects.clock.nowMs() });
    const provider = { ...hosted, limits: usualProviderLimits, source: "database" as const };
    directory.add(provider);
    return provider;
  });
}
