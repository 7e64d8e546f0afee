import type {
  OmittableField,
  OutputLimitField,
  ProviderAuth,
  ProviderKindName,
  ProviderProtocol,
} from "@/lib/contract/calls/provider-protocols";
import type { ProviderTimeouts } from "@/lib/contract/calls/provider-timeouts";
import type { TaskApi } from "@/lib/contract/calls/task-api";
import type { TableCache } from "../../changes/table-cache";
import { readHostname } from "../../http/outbound/allowed-addresses";
import type { Secret } from "../../secrets/secret";
import { bySource, type Source } from "../catalogue";
import { defaultProviderLimits, type ProviderLimits } from "./provider-limits";

/** The id of the built-in provider: deterministic, offline, no AI. */
export const SANDBOX = "sandbox";

/** One of a provider's keys. */
export interface ProviderKey {
  readonly id: string;
  readonly secret: Secret;
}

/** A server that answers models' calls. */
export interface Provider {
  readonly id: string;
  readonly kind: ProviderKindName;
  /** The address without a trailing slash, including `/v1` if the server has it; empty for the built-in provider. */
  readonly baseUrl: string;
  /** The first of its keys, with which files are made and lists are asked for. */
  readonly apiKey: Secret | null;
  /** All of them, in the order in which they were added. */
  readonly keys: readonly ProviderKey[];
  /** The protocols that its server speaks, the usual one first. */
  readonly protocols: readonly ProviderProtocol[];
  readonly auth: ProviderAuth;
  /** The base address of messages, at the same server; null where it is `baseUrl`. */
  readonly messagesBaseUrl: string | null;
  /** The name of the request field for the output limit; null: the default of its kind. */
  readonly outputLimitField: OutputLimitField | null;
  readonly limits: ProviderLimits;
  /** The time limits that were set; those that are absent or null are the defaults. */
  readonly timeouts: ProviderTimeouts;
  /** Fields of the gateway that its server refuses. */
  readonly refusedFields: readonly OmittableField[];
  /** The provider's task API, for the kind `http`; null for others. */
  readonly taskApi: TaskApi | null;
  readonly source: Source;
  /** Whether it may be at a private address, because the operator configured it or allowed its host. */
  readonly isTrusted: boolean;
}

/**
 * The built-in provider. It has no limit on concurrent requests and no circuit breakers, since some of its models fail
 * on purpose.
 */
export const sandboxProvider: Provider = {
  id: SANDBOX,
  kind: "sandbox",
  baseUrl: "",
  apiKey: null,
  keys: [],
  protocols: ["chat"],
  auth: "bearer",
  messagesBaseUrl: null,
  outputLimitField: null,
  timeouts: {},
  refusedFields: [],
  taskApi: null,
  limits: { ...defaultProviderLimits, maxConcurrentRequests: Number.POSITIVE_INFINITY, circuit: null },
  source: "built_in",
  isTrusted: true,
};

/** The host in the spelling of URLs, without brackets or port. */
export function parseHost(baseUrl: string): string {
  return readHostname(new URL(baseUrl));
}

/** All providers in memory, by id: configured and stored ones. */
export class ProviderDirectory {
  #byId = byId([sandboxProvider]);

  constructor(
    /** Hosts that any provider may have at a private address. */
    private readonly trustedHosts: readonly string[] = [],
  ) {}

  trusts(baseUrl: string): boolean {
    return this.trustedHosts.includes(parseHost(baseUrl));
  }

  find(id: string): Provider | undefined {
    return this.#byId.get(id);
  }

  /** Lists the providers in the order of the catalogue's models. */
  list(): Provider[] {
    return [...this.#byId.values()].toSorted(bySource);
  }

  /**
   * `readProviders` returns all but the built-in provider. A change replaces only the provider it concerns, since links
   * refer to the others.
   */
  following(readProviders: () => Promise<readonly Provider[]>): TableCache {
    return {
      load: async () => {
        this.#byId = byId([...(await readProviders()), sandboxProvider]);
      },
      reread: {
        providers: async ({ id }) => {
          const provider = (await readProviders()).find((candidate) => candidate.id === id);
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
