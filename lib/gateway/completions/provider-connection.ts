import type { ModelRoute } from "@/lib/contract/operations/models";
import { Deadline } from "../http/deadline";
import type { ProviderDirectory } from "../models/provider-directory";
import { Refusal } from "../ports/refusal";
import { ConnectTimeout } from "../providers/reach-host";
import { providerFailed, providerSaturated, providerTooSlow, providerUnreachable } from "./provider-failure";
import type { ProviderLink } from "./provider-link";
import type { ProviderLinks } from "./provider-links";

/** Why a call to a provider was broken off by the gateway. */
export type Cutoff = "client gone" | "too slow";

/** One call to a provider, which has a place there until it is ended by whoever has a reason first. */
export class ProviderConnection {
  readonly #abort = new AbortController();
  #deadline: Deadline | null = null;
  #cutoff: Cutoff | null = null;
  #isOver = false;

  /** The place has to be taken already. */
  constructor(
    readonly link: ProviderLink,
    /** What the provider calls the model. */
    readonly model: string,
  ) {}

  get cutoff(): Cutoff | null {
    return this.#cutoff;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Whether the provider may have read the request. */
  get isSent(): boolean {
    return this.#deadline !== null;
  }

  /** From here on the provider may read the request. @throws when the call is over. */
  send(): void {
    this.signal.throwIfAborted();
    this.#deadline = new Deadline(this.link.limits.firstByteMs, () => this.cut("too slow"));
  }

  /** The provider has got on with it. */
  progress(): void {
    this.#deadline?.renew(this.link.limits.idleMs);
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
      throw this.#cutoff === "too slow" ? providerTooSlow() : providerFailed(error);
    }
  }
}

interface Providers {
  readonly directory: Pick<ProviderDirectory, "find">;
  readonly links: ProviderLinks;
}

/** Takes a place at the first route's provider that has one. @throws Refusal 502 or 503 where none has. */
export function openConnection(
  { directory, links }: Providers,
  routes: readonly ModelRoute[],
): ProviderConnection {
  let isThere = false;
  for (const { provider: id, model } of routes) {
    const provider = directory.find(id);
    if (!provider) continue;
    const link = links.to(provider);
    if (link.enter()) return new ProviderConnection(link, model);
    isThere = true;
  }
  if (isThere) throw providerSaturated();
  throw providerFailed("None of the model's routes names a provider there is");
}
