/** The request's path below a provider's base address. */
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

/** A body that is read while it is sent, such as a form with a file. */
export interface StreamedBody {
  readonly contentType: string;
  readonly bytes: number;
  /** Returns the bytes from the beginning. Called for each attempt. */
  read(): AsyncIterable<Uint8Array>;
}

export function isStreamed(body: ProviderRequest["body"]): body is StreamedBody {
  return typeof body !== "string" && !(body instanceof Uint8Array);
}

/** A request to a provider. */
export interface ProviderRequest {
  readonly requestId: string;
  readonly endpoint: Endpoint;
  /** The text that was priced, in OpenAI's form. A long request is bytes. */
  readonly body: string | Uint8Array<ArrayBuffer> | StreamedBody;
  readonly stream: boolean;
  /** Sent as the header of that name (W3C Trace Context). */
  readonly traceparent?: string | undefined;
}

/** A provider's reply: its head, and its body as it arrives. */
export interface ProviderReply {
  readonly status: number;
  /** The announced length of the body; null without one. */
  readonly contentLength: number | null;
  /** The value of a header; null if there is none. @param name in lower case. */
  header(name: string): string | null;
  /**
   * The part of the body that arrived since the last read, or the next part; null at the end. One read at a time: unread
   * data stays with the provider. Rejects when the connection breaks or the request is canceled.
   */
  read(): Uint8Array<ArrayBuffer> | null | Promise<Uint8Array<ArrayBuffer> | null>;
}

/** A request that was sent. */
export interface SentRequest {
  /** Resolves as soon as the reply's head arrives, whatever its status. Rejects if no reply arrives. */
  readonly reply: Promise<ProviderReply>;
  /** Cancels the request in any state; does nothing once the reply has ended. */
  cancel(): void;
}

/** A client of a provider that answers requests in OpenAI's form. */
export interface ProviderClient {
  /**
   * Resolves once the provider accepts a connection within `ms`; rejects with the reason why it can't. Absent if no
   * connection is needed.
   */
  reach?(ms: number): Promise<void>;
  /** Makes a free request with the provider's key. @returns the status of the reply. Absent if there is no server. */
  ask?(ms: number): Promise<number>;
  send(request: ProviderRequest): SentRequest;
  /** Removes the provider's key from text that the provider wrote. */
  conceal?(text: string): string;
}
