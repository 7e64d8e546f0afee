import { LEFT_OUT_HEADER } from "@/lib/contract/operations/calls/completions";
import { TOOLS_LEFT_OUT_HEADER } from "@/lib/contract/operations/calls/responses";
import type { ModelRoute } from "@/lib/contract/operations/models/models";
import type { Clock } from "../../clock";
import type { StreamController } from "../../http/response";
import { type RateLimitStatus, rateLimitHeaders } from "../../rate-limits/project-model-windows";
import type { Refusal } from "../../refusal";
import type { BodyCapture } from "../bodies/body-capture";
import type { CompletionRequest } from "../requests/prepared-request";
import type { ResolvedUsage } from "../usage/resolve-usage";

/** Collects a reply to store it for repeats. */
export interface Recorder {
  add(bytes: Uint8Array): void;
  /** Null for a reply that is too long. */
  readonly text: string | null;
}

/**
 * The client of a reply, and the copies of the reply: for repeats, and for projects that store bodies. Nothing more is
 * sent once the client is gone.
 */
export class ReplyClient {
  #controller: StreamController | null = null;
  #isGone = false;
  #recorder: Recorder | null = null;

  constructor(
    private readonly capture: BodyCapture | undefined,
    /** Whether the capture gets the reply, besides the request. */
    private readonly capturesReply = true,
  ) {}

  /** Whether it has begun to read. */
  get isConnected(): boolean {
    return this.#controller !== null;
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  /** Whether the reply is stored for repeats. It then outlives its client. */
  get isRecorded(): boolean {
    return this.#recorder !== null;
  }

  /** The stored reply; undefined if it is not stored, or too long. */
  get recording(): string | undefined {
    return this.#recorder?.text ?? undefined;
  }

  /** Stores the reply for repeats. @param onGone is called when the client is gone; the reply is then still read. */
  record(recorder: Recorder, clientSignal: AbortSignal, onGone: () => void): void {
    this.#recorder = recorder;
    if (clientSignal.aborted) onGone();
    else clientSignal.addEventListener("abort", onGone, { once: true });
  }

  connect(controller: StreamController): void {
    this.#controller = controller;
  }

  leave(): void {
    this.#isGone = true;
  }

  /** Stores bytes, without sending them. */
  store(bytes: Uint8Array): void {
    this.#recorder?.add(bytes);
  }

  forward(bytes: Uint8Array): void {
    this.store(bytes);
    this.#capture(bytes);
    if (!this.#isGone) this.#controller?.enqueue(bytes);
  }

  /** Ends the reply, with last bytes that are not stored for repeats. Call it once the charge is on disk. */
  end(lastBytes?: Uint8Array): void {
    if (lastBytes) this.#capture(lastBytes);
    this.capture?.end();
    if (this.#isGone) return;
    if (lastBytes) this.#controller?.enqueue(lastBytes);
    this.#controller?.close();
  }

  /** Breaks the reply off, so that the client can't take it for a whole one. The reason must be logged before. */
  breakOff(): void {
    this.capture?.end();
    if (!this.#isGone) this.#controller?.error();
  }

  #capture(bytes: Uint8Array): void {
    if (this.capturesReply) this.capture?.addStreamed(bytes);
  }
}

/** A reply that is forwarded while it arrives: how its pieces are read, and what it costs so far. */
export interface StreamedReply {
  /** Whether the whole reply has arrived. */
  readonly isComplete: boolean;
  /** Whether the answer is whole, though the provider may add to it: from then on nothing is its failure. */
  readonly isFinished: boolean;
  /** Whether a failure would cost its caller anything. */
  readonly costsIfFailed: boolean;
  /** Whether a failed reply is charged for what it brought, even if that costs nothing; otherwise it is released. */
  readonly isChargedIfFailed: boolean;
  /** Null where more may be read now; otherwise resolves once it may. @throws Refusal 503 after too long a wait. */
  makeRoom(): Promise<void> | null;
  /** The next piece; null at the end of the provider's reply. */
  read(): Uint8Array | null | Promise<Uint8Array | null>;
  /** Forwards what can be forwarded of a piece. @returns how many bytes. @throws Refusal if the provider broke off. */
  forward(piece: Uint8Array | null): number | Promise<number>;
  /** Frees the memory of what was read. Called at the end, however it comes. */
  release(): void;
  /** Ends the request to the provider. @returns the last bytes for the client. */
  finish(): Uint8Array | undefined;
  /** What was generated so far. */
  usage(): ResolvedUsage;
  /** The last bytes of a reply that breaks off; null where it can't contain an error. */
  describeFailure(visibleRefusal: Refusal): Uint8Array | null;
}

/** The headers of every reply once the model is known: the request's id and its limits. */
export function buildCompletionHeaders(
  requestId: string,
  rateLimits: RateLimitStatus,
  clock: Clock,
): Record<string, string> {
  const headers: Record<string, string> = rateLimitHeaders(rateLimits, clock.monotonicMs());
  headers["x-request-id"] = requestId;
  return headers;
}

/** The type of a tool, as it is named where it is left out. */
const TOOL_NAME = /^tools\.(\w+)$/;

/** The headers that name what a provider was not sent of a request. */
export function describeLeftOut({
  leftOut = [],
}: Pick<CompletionRequest, "leftOut">): Record<string, string> {
  if (leftOut.length === 0) return {};
  const tools = leftOut.flatMap((name) => TOOL_NAME.exec(name)?.[1] ?? []);
  return {
    [LEFT_OUT_HEADER]: leftOut.join(", "),
    ...(tools.length > 0 && { [TOOLS_LEFT_OUT_HEADER]: tools.join(", ") }),
  };
}

/** The provider and its name of the model, such as `openai/gpt-5-mini`; characters beyond ASCII are encoded. */
export function formatRoute({ provider, model }: ModelRoute): string {
  const route = Buffer.from(`${provider}/${model}`).toString();
  return route.replaceAll(/[^!-$&-~]+/g, encodeURIComponent);
}

const MAX_RECORDED_BYTES = 1024 * 1024;

/** Collects a reply that is stored for repeats. A reply that is too long is dropped. */
export class ReplyRecorder {
  #text: string | null = "";
  #bytes = 0;

  /** The bytes must end at a character boundary. */
  add(bytes: Uint8Array): void {
    this.#bytes += bytes.byteLength;
    if (this.#bytes > MAX_RECORDED_BYTES) this.#text = null;
    if (this.#text === null) return;
    this.#text += Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
  }

  get text(): string | null {
    return this.#text;
  }
}

/** Encoded in base64, they are as long as the longest text that is stored for repeats. */
const MAX_BYTES = 768 * 1024;
/** A media type with any parameters. An event stream that begins with `data:` continues with JSON, not with a type. */
const STORED = /^data:(\w+\/[^{\n]+?);base64,/;

/** Collects a reply that isn't JSON, to store it for repeats as a data URL. Drops a reply that is too long. */
export class BinaryReplyRecorder {
  #pieces: Uint8Array[] | null = [];
  #bytes = 0;

  constructor(private readonly contentType: string) {}

  add(piece: Uint8Array): void {
    this.#bytes += piece.byteLength;
    if (this.#bytes > MAX_BYTES) this.#pieces = null;
    this.#pieces?.push(new Uint8Array(piece));
  }

  /** Null for a reply that is too long. */
  get text(): string | null {
    return this.#pieces
      ? `data:${this.contentType};base64,${Buffer.concat(this.#pieces).toString("base64")}`
      : null;
  }
}

/** Returns a stored reply that isn't JSON; null for one that is stored as its text. */
export function readStoredBytes(
  stored: string,
): { contentType: string; bytes: Uint8Array<ArrayBuffer> } | null {
  const [head, contentType] = STORED.exec(stored) ?? [];
  if (head === undefined || contentType === undefined) return null;
  return { contentType, bytes: new Uint8Array(Buffer.from(stored.slice(head.length), "base64")) };
}
