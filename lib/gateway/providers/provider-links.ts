import type { TableCache } from "../changes/table-cache";
import type { Clock } from "../clock";
import type { Provider, ProviderDirectory } from "../models/providers/provider-directory";
import { createProviderClient, ProviderLink } from "./provider-link";
import { StickySessions } from "./routing/sticky-sessions";

/** The configured and stored providers, and the links to them. */
export interface Providers {
  readonly directory: Pick<ProviderDirectory, "find">;
  readonly links: ProviderLinks;
}

/** The link to each provider, created on its first call and dropped with the provider. */
export class ProviderLinks {
  readonly #byProvider = new WeakMap<Provider, ProviderLink>();
  readonly sessions: StickySessions;

  constructor(
    private readonly clock: Clock,
    private readonly createClient = createProviderClient,
  ) {
    this.sessions = new StickySessions(clock);
  }

  nowMs(): number {
    return this.clock.nowMs();
  }

  /** All open circuit breakers of this process. */
  openCircuits(directory: Pick<ProviderDirectory, "list">): { provider: string; model: string }[] {
    return directory.list().flatMap((provider) =>
      this.to(provider)
        .circuits.list()
        .map(({ model }) => ({ provider: provider.id, model })),
    );
  }

  /** Follows the circuit breakers that are closed by hand, in any process. */
  followingClosings(directory: Pick<ProviderDirectory, "find">): TableCache {
    return {
      load: async () => {},
      reread: {
        circuit_closings: async ({ id, subjectId }) => {
          const provider = directory.find(id);
          if (provider && subjectId !== null) this.to(provider).circuits.close(subjectId);
        },
      },
    };
  }

  to(provider: Provider): ProviderLink {
    let link = this.#byProvider.get(provider);
    if (!link) {
      link = new ProviderLink(provider, this.clock, this.createClient);
      this.#byProvider.set(provider, link);
    }
    return link;
  }
}
