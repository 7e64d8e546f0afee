import { isIP } from "node:net";
import type { ProviderDraft } from "@/lib/contract/operations/models/providers";
import { type ChangeRequest, change } from "../../changes/change";
import { isPublicAddress } from "../../http/outbound/public-address";
import { conflict, invalid } from "../../refusal";
import type { ModelContext } from "../model-context";
import { type Provider, parseHost } from "./provider-directory";
import { toProviderLimits } from "./provider-limits";
import { toHosted } from "./read-providers";

/**
 * Adds a provider, to which models can be routed at once.
 * @throws Refusal 409 for an existing id; 400 for a private address that the operator hasn't allowed.
 */
export function createProvider(
  context: ModelContext,
  request: ChangeRequest,
  draft: ProviderDraft,
): Promise<Provider> {
  const { directory, providers, effects } = context;
  return change(context, request, async (transaction) => {
    if (directory.find(draft.id)) {
      throw conflict("id", `There is a provider "${draft.id}" already; give this one another id.`);
    }
    const hosted = toHosted(draft);
    const isTrusted = directory.trusts(hosted.baseUrl);
    if (!isTrusted) refusePrivateHost(parseHost(hosted.baseUrl));
    await providers.insert(transaction, { ...hosted, createdAtMs: effects.clock.nowMs() });
    return { ...hosted, limits: toProviderLimits(hosted), taskApi: null, source: "database", isTrusted };
  });
}

/** Checks IP addresses only. Host names are checked by each connection after they are resolved. */
function refusePrivateHost(host: string): void {
  const isPrivate = isIP(host) ? !isPublicAddress(host) : /(^|\.)localhost\.?$/.test(host);
  if (!isPrivate) return;
  const message = `base_url leads to a private address. Whoever runs the gateway can name ${host} in GATEHOUSE_PROVIDER_HOSTS, or write the provider into the configuration file.`;
  throw invalid("base_url", message);
}
