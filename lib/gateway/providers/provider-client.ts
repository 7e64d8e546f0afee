/** Where a request goes below a provider's base address. */
export type Endpoint = "chat/completions" | "embeddings" | "images/generations" | "videos";

/** A request as it goes to a provider. */
export interface ProviderRequest {
  readonly requestId: string;
  readonly endpoint: Endpoint;
  /** A request in OpenAI's form: the very text that was priced. A long one is bytes. */
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly stream: boolean;
  /** Goes along as the header of that name (W3C Trace Context). */
  readonly traceparent?: string | undefined;
}

/** A provider's reply: its head, and its body as it comes. */
export interface ProviderReply {
  readonly status: number;
  /** How many bytes the body will have; null where it doesn't say. */
  readonly announced: number | null;
  /** The value of a header; null where there is none. @param name in lower case. */
  header(name: string): string | null;
  /**
   * What has come of the body since the last read, or comes next; null at its end. One at a time: what nobody reads stays with
   * the provider. Rejects when the connection breaks or the request is cancelled.
   */
  read(): Uint8Array<ArrayBuffer> | null | Promise<Uint8Array<ArrayBuffer> | null>;
}

/** A request that is on its way, or answered. */
export interface SentRequest {
  /** Resolves as soon as the reply's head is there, whatever its status. Rejects where no reply comes. */
  readonly reply: Promise<ProviderReply>;
  /** Breaks it off wherever it is; nothing happens once the reply has ended. */
  cancel(): void;
}

/** Speaks to something that answers requests in OpenAI's form. */
export interface ProviderClient {
  /**
   * Resolves once the provider accepts a connection, within `ms`; rejects with what stands in the way. Absent where there is
   * nothing to connect to.
   */
  reach?(ms: number): Promise<void>;
  /** The status of an answer that costs nothing, asked for with the provider's key. Absent where there is nobody to ask. */
  ask?(ms: number): Promise<number>;
  send(request: ProviderRequest): SentRequest;
  /** What the provider wrote, without the key that it may have repeated. */
  conceal?(text: string): string;
}
