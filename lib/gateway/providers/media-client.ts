import type { MediaFamily } from "@/lib/contract/calls/model-families";
import type { FilePart } from "../http/forms/read-multipart";
import type { SentFile } from "../http/forms/write-multipart";
import { explainMisconfigured, MISCONFIGURED, type MisconfiguredStatus } from "./misconfigured";

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
