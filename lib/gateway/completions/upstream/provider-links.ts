import type { Clock } from "../../effects";
import type { Provider } from "../../models/provider-directory";
import { Misconfigurations } from "./misconfigurations";
import { ProviderFailures } from "./provider-failures";
import { ProviderLink } from "./provider-link";

/** The link to each provider, created on its first call and dropped with the provider. */
export class ProviderLinks {
  readonly #byProvider = new WeakMap<Provider, ProviderLink>();

  constructor(private readonly clock: Clock) {}

  to(provider: Provider): ProviderLink {
    let link = this.#byProvider.get(provider);
    if (!link) {
      const { clock } = this;
      link = new ProviderLink(provider, clock, new Misconfigurations(clock), new ProviderFailures(clock));
      this.#byProvider.set(provider, link);
    }
    return link;
  }
}
