/** The headers of a request. Names are found in any case, and values of a repeated header are joined with ", ". */
export type RequestHeaders = Pick<Headers, "get" | "has">;

/** What the gateway needs of a request. The web API's `Request` is one, too. */
export interface IncomingRequest {
  readonly method: string;
  /** The absolute URL, as the client encoded it. */
  readonly url: string;
  readonly headers: RequestHeaders;
  /** Aborts when the client leaves before the end of the reply. */
  readonly signal: AbortSignal;
  /** The whole body, if it arrived together with the head; null or absent otherwise. */
  readonly received?: Uint8Array<ArrayBuffer> | null;
  /** The body as it arrives; null if there is none. */
  readonly body: { getReader(): BodyPieceReader } | null;
}

/** Reads a body piece by piece. */
export interface BodyPieceReader {
  /** Resolves with the next piece; rejects if the body breaks off. One call at a time. */
  read(): Promise<{ done: boolean; value?: Uint8Array<ArrayBuffer> | undefined }>;
  /** Discards the rest. */
  cancel(): Promise<void>;
}
