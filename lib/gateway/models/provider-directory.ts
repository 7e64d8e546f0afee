import type { OutputLimitField } from "@/lib/contract/operations/providers";
import type { ProviderKindName } from "@/lib/contract/provider-kinds";
import type { Mirror } from "../changes/mirror";
import type { Secret } from "../secrets/secret";
import { type ProviderLimits, usualProviderLimits } from "./provider-limits";
import { bySource, type Source } from "./source";

/** The id of the built-in provider: deterministic, offline, no AI. */
export const SANDBOX = "sandbox";

/** A server that answers models' calls. */
export interface Provider {
  readonly id: string;
  readonly kind: ProviderKindName;
  /** Without a trailing slash, `/v1` included where the server has one; empty for the built-in one, which has none. */
  readonly baseUrl: string;
  readonly apiKey: Secret | null;
  /** The one name by which it is told the most output; null: its kind's usual one. */
  readonly outputLimitField: OutputLimitField | null;
  readonly limits: ProviderLimits;
  readonly source: Source;
  /** Whether it may be at a private address: the operator configured it, or listed its host. */
  readonly isTrusted: boolean;
}

/** The built-in provider, without a limit on concurrent requests. */
export const sandboxProvider: Provider = {
  id: SANDBOX,
  kind: "sandbox",
  baseUrl: "",
  apiKey: null,
  outputLimitField: null,
  limits: { ...usualProviderLimits, maxConcurrentRequests: Number.POSITIVE_INFINITY },
  source: "built_in",
  isTrusted: true,
};

/** The host as URLs spell it, without brackets or port. */
export function hostOf(baseUrl: string): string {
  return new URL(baseUrl).hostname.replace(/^\[|\]$/g, "");
}

/** Every provider in memory, by id: those of the configuration, and those that are stored. */
export class ProviderDirectory {
  #byId = byId([sandboxProvider]);

  constructor(
    /** Hosts that providers may have at private addresses, whoever adds them. */
    private readonly trustedHosts: readonly string[] = [],
  ) {}

  trusts(baseUrl: string): boolean {
    return this.trustedHosts.includes(hostOf(baseUrl));
  }

  find(id: string): Provider | undefined {
    return this.#byId.get(id);
  }

  /** In the order of the catalogue's models. */
  list(): Provider[] {
    return [...this.#byId.values()].toSorted(bySource);
  }

  /** `read` gives all but the built-in one. A change replaces the provider it touches alone: links are made to the others. */
  following(read: () => Promise<readonly Provider[]>): Mirror {
    return {
      load: async () => {
        this.#byId = byId([...(await read()), sandboxProvider]);
      },
      reread: {
        providers: async ({ id }) => {
          const provider = (await read()).find((one) => one.id === id);
          if (provider) this.#byId.set(id, provider);
          else this.#byId.delete(id);
        },
      },
    };
  }
}

function byId(providers: readonly Provider[]): Map<string, Provider> {
  return new Map(providers.map((provider) => [provider.id, provider]));
}
