import type { OutputLimitField } from "@/lib/contract/operations/providers";
import type { Secret } from "../ports/secret";
import type { ProviderLimits } from "./provider-limits";
import { bySource, type Source } from "./source";

/** The id of the built-in provider: deterministic, offline, no AI. */
export const SANDBOX = "sandbox";

/** Who answers a model's calls. */
export type Provider =
  | { readonly id: string; readonly kind: "sandbox"; readonly source: "built_in" }
  | HostedProvider;

/** A server that speaks OpenAI's protocol. */
export interface HostedProvider {
  readonly id: string;
  readonly kind: "openai";
  /** Without a trailing slash, `/v1` included where the server has one. */
  readonly baseUrl: string;
  readonly apiKey: Secret | null;
  /** The one name by which it is told the most output. */
  readonly outputLimitField: OutputLimitField;
  readonly limits: ProviderLimits;
  readonly source: Exclude<Source, "built_in">;
  /** Whether it may be at a private address: the operator has written it down, or named its host. */
  readonly isTrusted: boolean;
}

/** As addresses spell it, without brackets or port. */
export function hostOf(baseUrl: string): string {
  return new URL(baseUrl).hostname.replace(/^\[|\]$/g, "");
}

/** Every provider in memory, by id. Mirrors the configuration and the provider store. */
export class ProviderDirectory {
  readonly #byId = new Map<string, Provider>();

  /** The built-in one, and `hosted`; of two with one id the later stands. */
  constructor(
    hosted: Iterable<HostedProvider>,
    /** Hosts that providers may have at private addresses, whoever adds them. */
    private readonly trustedHosts: readonly string[] = [],
  ) {
    for (const provider of hosted) this.add(provider);
    this.#byId.set(SANDBOX, { id: SANDBOX, kind: "sandbox", source: "built_in" });
  }

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

  add(provider: HostedProvider): void {
    this.#byId.set(provider.id, provider);
  }

  remove(id: string): void {
    this.#byId.delete(id);
  }
}
