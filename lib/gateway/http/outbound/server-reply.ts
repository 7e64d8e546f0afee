/** A body that is read while it is sent, such as a form with a file. */
export interface StreamedBody {
  readonly contentType: string;
  readonly bytes: number;
  /** Returns the bytes from the beginning. Called for each attempt. */
  read(): AsyncIterable<Uint8Array>;
}

export type RequestBody = string | Uint8Array<ArrayBuffer> | StreamedBody;

export function isStreamed(body: RequestBody): body is StreamedBody {
  return typeof body !== "string" && !(body instanceof Uint8Array);
}

/** A server's reply: its head, and its body as it arrives. */
export interface ServerReply {
  readonly status: number;
  /** The announced length of the body; null without one. */
  readonly contentLength: number | null;
  /** The value of a header; null if there is none. @param name in lower case. */
  header(name: string): string | null;
  /**
   * The part of the body that arrived since the last read, or the next part; null at the end. One read at a time:
   * unread data stays with the server. Rejects when the connection breaks or the request is canceled.
   */
  read(): Uint8Array<ArrayBuffer> | null | Promise<Uint8Array<ArrayBuffer> | null>;
}

/** A request that was sent. */
export interface SentRequest {
  /** Resolves as soon as the reply's head arrives, whatever its status. Rejects if no reply arrives. */
  readonly reply: Promise<ServerReply>;
  /** Cancels the request in any state; does nothing once the reply has ended. */
  cancel(): void;
}
