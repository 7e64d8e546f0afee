import { Deadline } from "../http/deadline";
import { Refusal } from "../ports/refusal";
import { ConnectTimeout } from "../providers/reach-host";
import { providerFailed, providerTooSlow, providerUnreachable } from "./provider-failure";

/** Why a call to a provider was broken off by the gateway. */
export type Cutoff = "client gone" | "too slow";

/** One call to a provider, ended by whoever has a reason first. */
export class ProviderConnection {
  readonly #abort = new AbortController();
  #deadline: Deadline | null = null;
  #cutoff: Cutoff | null = null;

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

  /** From here on the provider may read the request, and has `ms` for its first byte. @throws when the call has been ended. */
  send(ms: number): void {
    this.signal.throwIfAborted();
    this.#deadline = new Deadline(ms, () => this.cut("too slow"));
  }

  /** The provider has got on with it, and has `ms` for the next step. */
  progress(ms: number): void {
    this.#deadline?.renew(ms);
  }

  cut(reason: Cutoff): void {
    this.#cutoff ??= reason;
    this.close();
  }

  /** The provider has said all. */
  end(): void {
    this.#deadline?.clear();
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
