import type { ModelRoute } from "@/lib/contract/operations/models";
import { Deadline } from "../http/deadline";
import type { ProviderDirectory } from "../models/provider-directory";
import { Refusal } from "../ports/refusal";
import { ConnectTimeout } from "../providers/reach-host";
import {
  providerFailed,
  providerSaturated,
  providerTooSlow,
  providerUnreachable,
  type Retry,
} from "./provider-failure";
import type { ProviderLink } from "./provider-link";
import type { ProviderLinks } from "./provider-links";

/** What the network says where nothing was sent. */
const UNSENT = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"]);
/** A connection that had been closed meanwhile says so at once; one that is reset later had work on it. */
const STALE_MS = 1_000;

/** Why a call to a provider was broken off by the gateway. */
export type Cutoff = "client gone" | "too slow";

/** One call to a provider, which has a place there until it is ended by whoever has a reason first. */
export class ProviderConnection {
  readonly #abort = new AbortController();
  #deadline: Deadline | null = null;
  #sentAtMs: number | null = null;
  #cutoff: Cutoff | null = null;
  #isOver = false;

  /** The place has to be taken already. */
  constructor(
    readonly link: ProviderLink,
    readonly route: ModelRoute,
    /** Whether the request has gone to a provider before, which generated nothing. */
    readonly wasSentBefore: boolean,
  ) {}

  get cutoff(): Cutoff | null {
    return this.#cutoff;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Whether the provider may have read the request. */
  get isSent(): boolean {
    return this.#sentAtMs !== null;
  }

  /** From here on the provider may read the request. @throws when the call is over. */
  send(): void {
    this.signal.throwIfAborted();
    this.#sentAtMs = performance.now();
    this.#deadline = new Deadline(this.link.limits.firstByteMs, () => this.cut("too slow"));
  }

  /** The provider has got on with it, and may until the call has lasted as long as any may. */
  progress(): void {
    const { idleMs, totalMs } = this.link.limits;
    if (performance.now() - (this.#sentAtMs ?? 0) > totalMs) this.cut("too slow");
    else this.#deadline?.renew(idleMs);
  }

  cut(reason: Cutoff): void {
    this.#cutoff ??= reason;
    this.close();
  }

  /** The provider has said all. */
  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#deadline?.clear();
    this.link.leave();
  }

  /** Ends it whatever the provider is doing. */
  close(): void {
    this.end();
    this.#abort.abort();
  }

  /** Waits for something of the provider's. @throws Refusal 502 or 504 for whatever goes wrong with it. */
  async attempt<Result>(work: Promise<Result>): Promise<Result> {
    try {
      return await work;
    } catch (error) {
      if (error instanceof Refusal) throw error;
      if (error instanceof ConnectTimeout) throw providerUnreachable(error);
      throw this.#cutoff === "too slow" ? providerTooSlow() : providerFailed(error, this.#retryAfter(error));
    }
  }

  #retryAfter(error: unknown): Retry {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (UNSENT.has(code)) return "elsewhere";
    const isStale = code === "ECONNRESET" && performance.now() - (this.#sentAtMs ?? 0) < STALE_MS;
    return isStale ? "anywhere" : "nowhere";
  }
}

interface Providers {
  readonly directory: Pick<ProviderDirectory, "find">;
  readonly links: ProviderLinks;
}

/** Takes a place at the first route's provider that has one. @throws Refusal 502 or 503 where none has. */
export function openConnection(providers: Providers, routes: readonly ModelRoute[]): ProviderConnection {
  const connection = findConnection(providers, routes, false);
  if (connection) return connection;
  if (routes.some(({ provider }) => providers.directory.find(provider))) throw providerSaturated();
  throw providerFailed("None of the model's routes names a provider there is");
}

/** As `openConnection`; null where no provider has a place. */
export function findConnection(
  { directory, links }: Providers,
  routes: readonly ModelRoute[],
  wasSentBefore: boolean,
): ProviderConnection | null {
  for (const route of routes) {
    const provider = directory.find(route.provider);
    const link = provider && links.to(provider);
    if (link?.enter()) return new ProviderConnection(link, route, wasSentBefore);
  }
  return null;
}
