import type { MediaFamily } from "@/lib/contract/calls/model-families";
import type { OmittableField, OutputLimitField, ProviderAuth } from "@/lib/contract/calls/provider-protocols";
import type { TaskApi } from "@/lib/contract/calls/task-api";
import { formatBytes } from "@/lib/contract/format-bytes";
import type { Clock } from "../clock";
import type { FilePart, SentFile } from "../http/forms/multipart";
import { parseReply } from "../http/json";
import { isUnsent } from "../http/outbound/allowed-addresses";
import { type SentRequest, type ServerReply, withReply } from "../http/outbound/server-reply";
import type { Secret } from "../secrets/secret";
import { explainMisconfigured, MISCONFIGURED, type MisconfiguredStatus } from "./misconfigured";
import type { EmbeddingInput, Prompt, PromptEstimate } from "./prompt-size/estimate-prompt";
import type { ProviderClient } from "./provider-client";

/** A provider's server; the built-in provider has none. */
export interface ProviderServer {
  /** The address without a trailing slash, including `/v1` if the server has it. */
  readonly baseUrl: string;
  readonly apiKey: Secret | null;
  readonly auth: ProviderAuth;
  /** The base address of messages, at the same server; null where it is `baseUrl`. */
  readonly messagesBaseUrl: string | null;
  /** Whether it may be at a private address. */
  readonly isTrusted: boolean;
  /** The server's task API, for the kind `http`. */
  readonly taskApi?: TaskApi | null;
  /** Fields that it is never sent. */
  readonly refusedFields?: readonly OmittableField[];
}

/** Why a provider can't carry out an order: the field of the call, with a sentence. */
export interface OrderFault {
  readonly field: string;
  readonly message: string;
}

/** Everything that is specific to one kind of provider. */
export interface ProviderKind {
  createClient(server: ProviderServer, clock: Clock): ProviderClient;
  /** Absent for kinds that only make files. */
  readonly answers?: AnswerKind;
  /** Absent for kinds that make no files. */
  readonly files?: FileKind;
}

/** How a kind answers calls in OpenAI's form. Its client can `send`. */
export interface AnswerKind {
  /** The request field for the output limit, unless the provider's settings name another. */
  defaultOutputLimitField(baseUrl: string): OutputLimitField;
  /** @param contextWindow the maximum tokens of prompt and output; null if it is unknown. */
  estimatePrompt(prompt: Prompt, contextWindow: number | null): PromptEstimate;
  /** @param contextWindow the maximum tokens of one input; null if it is unknown. */
  estimateInputs(inputs: readonly EmbeddingInput[], contextWindow: number | null): PromptEstimate;
  /** Whether each stream event with text is exactly one token, so that tokens need not be estimated by length. */
  readonly isTokenPerEvent: boolean;
}

/** How a kind makes the files of tasks. */
interface FileKind {
  createClient(server: ProviderServer, clock: Clock): MediaClient;
  /** Whether its images can be made from pictures. */
  readonly editsImages?: true;
  /** Checks an order before it is held. Absent for kinds that take every order. */
  findOrderFault?(
    server: Pick<ProviderServer, "taskApi">,
    order: Omit<MediaOrder, "model">,
  ): OrderFault | null;
}

/** A picture that an order starts from, or the mask of the part to change. */
export interface OrderInput extends FilePart {
  readonly name: "image" | "mask";
  readonly bytes: number;
}

/** An order to make files, in the provider's terms. */
export interface MediaOrder {
  readonly family: MediaFamily;
  /** The model's name at the provider. */
  readonly model: string;
  readonly prompt: string;
  /** The number of files; always 1 except for images. */
  readonly count: number;
  /** The size in pixels; null for audio. */
  readonly size: { readonly width: number; readonly height: number } | null;
  /** Whether the caller left the size to the provider, if the price doesn't depend on it. */
  readonly isSizeFree?: boolean;
  /** Null for images. */
  readonly seconds: number | null;
  readonly quality: string | null;
  /** Further fields of the request, passed through unchanged. */
  readonly extraFields: Readonly<Record<string, unknown>>;
  /** The pictures of an edit in their order, and a mask. */
  readonly inputs?: readonly (OrderInput & Pick<SentFile, "read">)[];
}

/** A file that came with the reply to its order. */
export interface MadeFile {
  readonly mimeType: string;
  readonly bytes: Uint8Array;
}

/** A file at a provider. */
export interface RemoteFile {
  readonly position: number;
  /** What its client needs to fetch it, besides the task's id: its address or its content. */
  readonly source?: string;
}

/** A file whose content is being fetched. */
export interface OpenedFile {
  readonly mimeType: string;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** The state of a task at its provider. */
export type RemoteState =
  /** Progress in percent; null if the provider gives none. */
  | { readonly kind: "running"; readonly progress: number | null }
  | { readonly kind: "succeeded"; readonly files: readonly RemoteFile[] }
  | { readonly kind: "failed"; readonly code: string; readonly message: string }
  | { readonly kind: "canceled" }
  /** The provider knows no such task any more. */
  | { readonly kind: "gone" };

/** A task at a provider; its id is the provider's own. */
export interface RemoteTask {
  readonly id: string;
  readonly order: MediaOrder;
}

/** The provider has definitely rejected the order and makes nothing. */
export class OrderRefused extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** The provider rejects the gateway's key, its account, or the model's name. It makes nothing; another provider may. */
export class OrderMisrouted extends OrderRefused {
  constructor(
    readonly status: MisconfiguredStatus,
    /** The provider's words, for the operator's log. */
    override readonly cause: string,
  ) {
    super(MISCONFIGURED, explainMisconfigured(status));
  }
}

/** The order definitely did not reach the provider, so it may be sent again. */
export class OrderNotSent extends Error {
  constructor(
    message = "",
    /** How long the provider asked to be left alone, in milliseconds. */
    readonly restMs = 0,
  ) {
    super(message);
  }
}

/** The provider made something that can't be used. To fetch it again would not help. */
export class UnusableOutput extends Error {}

/** The provider has no such file: it isn't ready yet, or was deleted. */
export class OutputMissing extends Error {}

/** A client of a provider that makes files. Any other error leaves the provider's state unknown. */
export interface MediaClient {
  /** Whether the provider carries out an order once, even if it is sent twice under one key. */
  readonly submitsOnce: boolean;
  /** How long to wait between two polls of a remote task. */
  readonly pollMs: number;
  /**
   * @returns the task's id at the provider, or the files of a provider that makes them at once.
   * @throws OrderRefused, OrderMisrouted, OrderNotSent, or another error if the outcome is unknown.
   */
  submit(order: MediaOrder, key: string, signal: AbortSignal): Promise<string | readonly MadeFile[]>;
  poll(remote: RemoteTask, signal: AbortSignal): Promise<RemoteState>;
  /** Asks the provider to stop a task. Does nothing if the provider can't; it may delete a finished one. */
  cancel(remote: RemoteTask, signal: AbortSignal): Promise<void>;
  /**
   * Fetches a file of a task that succeeded.
   * @throws UnusableOutput, also while its bytes are read; OutputMissing, or another error if it can be fetched again.
   */
  open(remote: RemoteTask, file: RemoteFile, signal: AbortSignal): Promise<OpenedFile>;
}

/**
 * Sends a request about an order and reads its reply, until `signal` aborts.
 * @throws OrderNotSent if nothing was sent; another error if there is no whole reply.
 */
export async function readOrderReply<Result>(
  send: () => SentRequest,
  signal: AbortSignal,
  readBody: (reply: ServerReply) => Promise<Result>,
): Promise<Result> {
  try {
    return await withReply(send, signal, readBody);
  } catch (error) {
    throw isUnsent(error) ? new OrderNotSent(String(error)) : error;
  }
}

/**
 * Finds the type of a file from its first bytes, whatever the provider says about it.
 * @throws UnusableOutput for anything that isn't a file of the family.
 */
export async function recognizeOutput(
  family: MediaFamily,
  bytes: AsyncIterable<Uint8Array>,
): Promise<OpenedFile> {
  const pieces = bytes[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  while (head.length < HEAD_BYTES) {
    const { done, value } = await pieces.next();
    if (done) break;
    head = Buffer.concat([head, value]);
  }
  const mimeType = detectMediaType(family, head);
  if (mimeType === null) {
    await pieces.return?.();
    throw new UnusableOutput(`The provider sent a file that is no ${formatNames[family]}.`);
  }
  return { mimeType, bytes: joinHead(head, pieces) };
}

async function* joinHead(head: Uint8Array, remainder: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield head;
    for (let next = await remainder.next(); !next.done; next = await remainder.next()) yield next.value;
  } finally {
    await remainder.return?.();
  }
}

/** How many bytes of a file `detectMediaType` looks at. None that shows or plays anything is shorter. */
export const HEAD_BYTES = 26;

type Signature = readonly [type: string, start: string, at: number];

const signatures: Readonly<Record<MediaFamily, readonly Signature[]>> = {
  image: [
    ["image/png", "\x89PNG\r\n\x1a\n", 0],
    ["image/jpeg", "\xff\xd8\xff", 0],
    ["image/webp", "WEBP", 8],
    ["image/gif", "GIF8", 0],
    ["image/avif", "ftypavif", 4],
  ],
  video: [
    ["video/quicktime", "ftypqt  ", 4],
    ["video/mp4", "ftyp", 4],
    ["video/webm", "\x1a\x45\xdf\xa3", 0],
  ],
  music: [
    ["audio/wav", "WAVE", 8],
    ["audio/mpeg", "ID3", 0],
    ["audio/mpeg", "\xff\xfb", 0],
    ["audio/mpeg", "\xff\xf3", 0],
    ["audio/mpeg", "\xff\xf2", 0],
    ["audio/ogg", "OggS", 0],
    ["audio/flac", "fLaC", 0],
    ["audio/mp4", "ftypM4A", 4],
  ],
};

/** The formats that are recognized, for messages. */
export const formatNames: Readonly<Record<MediaFamily, string>> = {
  image: "PNG, JPEG, WebP, GIF or AVIF",
  video: "MP4, WebM or QuickTime",
  music: "WAV, MP3, Ogg, FLAC or M4A",
};

/** The media type of a file by its first bytes, whatever its sender claims; null for no file of this family. */
export function detectMediaType(family: MediaFamily, bytes: Uint8Array): string | null {
  if (bytes.byteLength < HEAD_BYTES) return null;
  const head = Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString("latin1");
  return signatures[family].find(([, start, at]) => head.startsWith(start, at))?.[0] ?? null;
}

/** A complete reply that can't be used, or one that is longer than may be read. */
export class UnusableReply extends Error {}

/** A reply that is longer than may be read. */
export class ReplyTooLong extends UnusableReply {}

/** Reads a whole reply as JSON. @throws ReplyTooLong, or UnusableReply for anything that isn't JSON. */
export async function readJson(reply: ServerReply, maxBytes: number): Promise<unknown> {
  const { contentLength } = reply;
  if (contentLength !== null && contentLength > maxBytes) throw tooLong(maxBytes);
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for (let piece = await reply.read(); piece !== null; piece = await reply.read()) {
    bytes += piece.byteLength;
    if (bytes > maxBytes) throw tooLong(maxBytes);
    pieces.push(piece);
  }
  try {
    return parseReply(Buffer.concat(pieces).toString());
  } catch {
    throw new UnusableReply("The provider sent a reply that is not JSON.");
  }
}

function tooLong(maxBytes: number): ReplyTooLong {
  return new ReplyTooLong(`The provider sent a reply of more than ${formatBytes(maxBytes)}.`);
}

/** A file as its bytes arrive. @throws UnusableOutput for an empty one, and beyond `maxBytes`. */
export async function* streamFile(
  reply: ServerReply,
  maxBytes: number,
  close: () => void,
): AsyncGenerator<Uint8Array> {
  const tooLarge = () =>
    new UnusableOutput(`The provider sent a file of more than ${formatBytes(maxBytes)}.`);
  let bytes = 0;
  try {
    if (reply.contentLength !== null && reply.contentLength > maxBytes) throw tooLarge();
    for (let piece = await reply.read(); piece !== null; piece = await reply.read()) {
      bytes += piece.byteLength;
      if (bytes > maxBytes) throw tooLarge();
      yield piece;
    }
    if (bytes === 0) throw new UnusableOutput("The provider sent an empty file.");
  } finally {
    close();
  }
}
