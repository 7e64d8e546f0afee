import type { Provider } from "../models/provider-directory";
import { createOpenaiClient } from "../providers/openai-client";
import type { ProviderClient } from "../providers/provider-client";

/** The client of each provider of the directory, made on its first call and forgotten with the provider. */
export class ProviderClients {
  readonly #byProvider = new WeakMap<Provider, ProviderClient>();

  constructor(private readonly sandbox: ProviderClient) {}

  of(provider: Provider): ProviderClient {
    if (provider.kind === "sandbox") return this.sandbox;
    let client = this.#byProvider.get(provider);
    if (!client) this.#byProvider.set(provider, (client = createOpenaiClient(provider)));
    return client;
  }
}
