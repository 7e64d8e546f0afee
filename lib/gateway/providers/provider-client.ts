/** A request as it goes to a provider. */
export interface ProviderRequest {
  readonly requestId: string;
  /** A chat completion request in OpenAI's form: the very text that was priced. A long one is bytes. */
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly stream: boolean;
}

/** Speaks to something that answers chat completion requests in OpenAI's form. */
export interface ProviderClient {
  /**
   * Resolves once the provider accepts a connection, within `ms`; rejects with what stands in the way. Absent where there is
   * nothing to connect to.
   */
  reach?(ms: number): Promise<void>;
  /**
   * Resolves with the provider's reply as soon as its headers are there, whatever its status.
   * Rejects when it can't be reached or `signal` aborts, which also ends a body that is still coming.
   */
  complete(call: ProviderRequest, signal: AbortSignal): Promise<Response>;
  /** What the provider wrote, without the key that it may have repeated. */
  conceal?(text: string): string;
}
