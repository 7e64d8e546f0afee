import type { RequestBody, SentRequest } from "../http/outbound/server-reply";

/** What is called, by its path in OpenAI's API. */
export type Endpoint =
  | "chat/completions"
  | "embeddings"
  | "moderations"
  | "images/generations"
  | "images/edits"
  | "videos"
  | "audio/speech"
  | "audio/transcriptions"
  | "audio/translations";

/** The request's path below a provider's base address. Chat may be asked for in other protocols, too. */
type ProviderPath = Endpoint | "messages" | "messages/count_tokens" | "responses";

/** A request to a provider. */
export interface ProviderRequest {
  readonly requestId: string;
  readonly endpoint: ProviderPath;
  /** The text that was priced, in the protocol of its endpoint. A long request is bytes. */
  readonly body: RequestBody;
  /** Headers of the client that are sent on; absent if there are none. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly stream: boolean;
  /** Sent as the header of that name (W3C Trace Context). */
  readonly traceparent?: string | undefined;
}

/** A client of a provider's server. */
export interface ProviderClient {
  /**
   * Resolves once the provider accepts a connection within `ms`; rejects with the reason why it can't. Absent if no
   * connection is needed.
   */
  reach?(ms: number): Promise<void>;
  /** Asks for the server's list of models with the provider's key, which is free. Absent where none can be asked. */
  listModels?(): SentRequest;
  /** Sends a request in a protocol that the server speaks. Absent for a provider that only makes files. */
  send?(request: ProviderRequest): SentRequest;
  /** Removes the provider's key from text that the provider wrote. */
  conceal?(text: string): string;
}

export type AnsweringClient = ProviderClient & Required<Pick<ProviderClient, "send">>;
