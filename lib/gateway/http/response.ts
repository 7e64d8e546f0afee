import type { PathDialect } from "@/lib/contract/unserved-paths";
import { Refusal } from "../refusal";
import type { RequestHeaders } from "../request-headers";
import { type BodyPieces, countBytes, joinPieces } from "./body-reader";

/** How much of a body is handed over at once; the rest follows as the client reads, without a `Content-Length`. */
export const WRITTEN_BYTES = 256 * 1024;

interface ResponseOptions {
  readonly status?: number;
  readonly headers: Readonly<Record<string, string>> | Headers;
}

/** Receives a body: the web API's controller of a stream. */
export interface StreamController {
  enqueue(bytes: Uint8Array): void;
  close(): void;
  /** Breaks the reply off, so that its client can't take it for a whole one. Nobody else logs the reason. */
  error(): void;
}

/** A body that is made while it is sent. */
export interface StreamSource {
  /** Passes on some bytes, or the end. Called again once the client can take more. */
  pull(controller: StreamController): void | Promise<void>;
  /** The client has left. */
  cancel(): void | Promise<void>;
}

/** A reply whose body is in memory. A long one is sent piece by piece, as its client reads. */
export class BufferedResponse extends Response {
  /** @param onTaken is called once the body is written or the client has left. */
  constructor(
    readonly pieces: BodyPieces,
    options: ResponseOptions,
    readonly onTaken?: () => void,
  ) {
    const isLong = countBytes(pieces) > WRITTEN_BYTES;
    const body = isLong ? streamParts(pieces, onTaken) : (joinPieces(pieces) as Uint8Array<ArrayBuffer>);
    super(body, options as ResponseInit);
    if (!isLong) onTaken?.();
  }
}

/** Called when a streamed reply begins to wait: for its client to read, or for its source to make more. */
type OnWait = (isForClient: boolean) => void;

/** A reply whose body is made while it is sent. */
export class StreamedResponse extends Response {
  /** Set by the server. */
  onWait: OnWait | null = null;

  /** @param source who takes it for another stream pulls it in place of the body. */
  constructor(
    readonly source: StreamSource,
    options: ResponseOptions,
  ) {
    let controller: StreamController | null = null;
    // Bytes that a source makes after its end, or for a client that has left, are dropped.
    let isOver = false;
    const watch = (inner: StreamController): StreamController => ({
      enqueue: (bytes) => {
        if (isOver) return;
        this.onWait?.(true);
        inner.enqueue(bytes);
      },
      close: () => {
        if (isOver) return;
        isOver = true;
        this.onWait?.(true);
        inner.close();
      },
      error: () => {
        if (!isOver) inner.error();
        isOver = true;
      },
    });
    const body = new ReadableStream<Uint8Array>(
      {
        pull: (inner) => {
          this.onWait?.(false);
          controller ??= watch(inner as StreamController);
          return source.pull(controller);
        },
        cancel: () => {
          isOver = true;
          return source.cancel();
        },
      },
      { highWaterMark: 0 },
    );
    super(body, options as ResponseInit);
  }
}

export const respondWith = (pieces: BodyPieces, options: ResponseOptions, onTaken?: () => void) =>
  new BufferedResponse(pieces, options, onTaken);

/** A reply with an object as JSON. */
export function respondWithJson(
  value: unknown,
  { status, headers }: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> } = {},
): BufferedResponse {
  const type = { "content-type": "application/json;charset=utf-8" };
  return respondWithText(JSON.stringify(value), {
    headers: { ...type, ...headers },
    ...(status !== undefined && { status }),
  });
}

export function respondWithText(text: string, options: ResponseOptions): BufferedResponse {
  return new BufferedResponse([Buffer.from(text)], options);
}

/**
 * Passes a stream on as fast as it is read. `refuseLostAccess` runs before each piece; if it throws a Refusal, the
 * reply breaks off, so that a part can't be mistaken for the whole.
 */
export function passOn(
  pieces: ReadableStream<Uint8Array>,
  refuseLostAccess: () => void,
  logFault: (error: unknown) => void,
): StreamSource {
  const reader = pieces.getReader();
  return {
    async pull(controller) {
      try {
        refuseLostAccess();
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        void reader.cancel(error).catch(() => {});
        // The end of an access is no fault, and what has no reason was logged before.
        if (error !== undefined && !(error instanceof Refusal)) logFault(error);
        controller.error();
      }
    },
    cancel: () => reader.cancel(),
  };
}

function streamParts(pieces: BodyPieces, onTaken?: () => void): ReadableStream<Uint8Array> {
  const parts = splitPieces(pieces);
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const { done, value } = parts.next();
        if (!done) return controller.enqueue(value);
        controller.close();
        onTaken?.();
      },
      cancel: onTaken,
    },
    { highWaterMark: 0 },
  );
}

function* splitPieces(pieces: BodyPieces): Generator<Uint8Array, undefined> {
  for (const piece of pieces)
    for (let start = 0; start < piece.byteLength; start += WRITTEN_BYTES)
      yield piece.subarray(start, start + WRITTEN_BYTES);
}

/** The API whose formats a client speaks. */
export type Dialect = "openai" | "anthropic";

/** The paths of messages, also with a prefix and behind an origin. */
const MESSAGES = /\/messages(\/count_tokens)?\/?(\?|$)/;

/**
 * Clients of Anthropic's API send their version at each path. Those that leave it out are known at the paths of
 * messages by their header for the key; with `Authorization: Bearer` the form is the specification's own.
 */
export function findDialect(headers: RequestHeaders, path = ""): Dialect {
  if (headers.has("anthropic-version")) return "anthropic";
  const hasOwnKey = headers.has("x-api-key") && !headers.has("authorization");
  return hasOwnKey && MESSAGES.test(path) ? "anthropic" : "openai";
}

/** Keeps browsers from guessing a content type and running a reply (WHATWG Fetch, section 3.6). */
export const noSniffing = { "x-content-type-options": "nosniff" } as const;

const anthropicTypes: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  402: "billing_error",
  403: "permission_error",
  404: "not_found_error",
  408: "invalid_request_error",
  413: "request_too_large",
  429: "rate_limit_error",
  503: "overloaded_error",
  504: "timeout_error",
};

/**
 * Lets Anthropic's SDK carry on without a thread, sending all messages itself, as its servers do where they keep none.
 */
const withoutThread = { details: { error_code: "thread_unsupported_request", unsupported: ["thread"] } };

/** Google's names of the statuses that a path without an operation can have. */
const googleStatuses: Readonly<Record<number, string>> = { 404: "NOT_FOUND", 405: "UNIMPLEMENTED" };

/** The reply to a refused request. */
export function answerRefusal(refusal: Refusal, requestId: string, dialect: Dialect | PathDialect): Response {
  const anthropicHeader = dialect === "anthropic" && { "request-id": requestId };
  const headers = {
    "x-request-id": requestId,
    ...noSniffing,
    ...anthropicHeader,
    ...refusal.details.headers,
  };
  return respondWithJson(refusalBody(refusal, requestId, dialect), { status: refusal.status, headers });
}

/** The body of a refusal in the caller's dialect. Both forms of clients that are served carry the same facts. */
export function refusalBody(refusal: Refusal, requestId: string, dialect: Dialect | PathDialect): unknown {
  const body = refusal.body(requestId);
  const { status } = refusal;
  if (dialect === "openai") return body;
  if (dialect === "ollama") return { error: body.error.message };
  if (dialect === "google")
    return { error: { ...body.error, code: status, status: googleStatuses[status] ?? "UNKNOWN" } };
  const type = anthropicTypes[status] ?? (status < 500 ? "invalid_request_error" : "api_error");
  const more = refusal.details.param === "thread" ? withoutThread : {};
  return { type: "error", error: { ...body.error, type, ...more }, request_id: requestId };
}

/** The refusal for an internal error. It reveals nothing but the request's id. */
export function internalError(requestId: string): Refusal {
  const message = `Something failed on our side. Try again. If it fails again, look up request ${requestId}.`;
  return new Refusal(500, "service_error", "internal_error", message);
}
