import type { Provider } from "../models/provider-directory";
import type { ProviderLimits } from "../models/provider-limits";
import type { Clock } from "../ports/effects";
import { createOpenaiClient } from "../providers/openai-client";
import type { ProviderClient } from "../providers/provider-client";
import { Misconfigurations } from "./misconfigurations";
import { ProviderLink } from "./provider-link";

/** The link to each provider of the directory, made on its first call and forgotten with the provider. */
export class ProviderLinks {
  readonly #byProvider = new WeakMap<Provider, ProviderLink>();
  readonly #sandbox: ProviderLink;

  constructor(
    sandbox: ProviderClient,
    sandboxLimits: ProviderLimits,
    private readonly clock: Pick<Clock, "nowMs">,
  ) {
    this.#sandbox = new ProviderLink(sandbox, sandboxLimits, "max_tokens", new Misconfigurations(clock));
  }

  to(provider: Provider): ProviderLink {
    if (provider.kind === "sandbox") return this.#sandbox;
    let link = this.#byProvider.get(provider);
    if (!link) {
      const { limits, outputLimitField } = provider;
      const misconfigurations = new Misconfigurations(this.clock);
      link = new ProviderLink(createOpenaiClient(provider), limits, outputLimitField, misconfigurations);
      this.#byProvider.set(provider, link);
    }
    return link;
  }
}
