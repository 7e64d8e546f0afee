import type { Provider } from "../models/provider-directory";
import type { ProviderLimits } from "../models/provider-limits";
import { createOpenaiClient } from "../providers/openai-client";
import type { ProviderClient } from "../providers/provider-client";
import { ProviderLink } from "./provider-link";

/** The link to each provider of the directory, made on its first call and forgotten with the provider. */
export class ProviderLinks {
  readonly #byProvider = new WeakMap<Provider, ProviderLink>();
  readonly #sandbox: ProviderLink;

  constructor(sandbox: ProviderClient, sandboxLimits: ProviderLimits) {
    this.#sandbox = new ProviderLink(sandbox, sandboxLimits, "max_tokens");
  }

  to(provider: Provider): ProviderLink {
    if (provider.kind === "sandbox") return this.#sandbox;
    let link = this.#byProvider.get(provider);
    if (!link) {
      link = new ProviderLink(createOpenaiClient(provider), provider.limits, provider.outputLimitField);
      this.#byProvider.set(provider, link);
    }
    return link;
  }
}
