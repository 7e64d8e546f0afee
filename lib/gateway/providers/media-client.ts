import type { MediaFamily } from "@/lib/contract/model-families";

/** What is to be made, in the provider's terms. */
export interface MediaOrder {
  readonly family: MediaFamily;
  /** The model's name at the provider. */
  readonly model: string;
  readonly prompt: string;
  /** How many files; 1 but for images. */
  readonly count: number;
  /** In pixels; null for what has no picture. */
  readonly size: { readonly width: number; readonly height: number } | null;
  /** Null for what has no length. */
  readonly seconds: number | null;
  readonly quality: string | null;
  /** Further fields of the request, which pass through untouched. */
  readonly further: Readonly<Record<string, unknown>>;
}

/** A task as its provider has it. */
export type RemoteState =
  /** Progress in percent; null where the provider gives none. */
  | { readonly kind: "running"; readonly progress: number | null }
  | { readonly kind: "succeeded"; readonly mimeTypes: readonly string[] }
  | { readonly kind: "failed"; readonly code: string; readonly message: string }
  | { readonly kind: "canceled" };

/** A task at a provider; its id is the provider's own. */
export interface RemoteTask {
  readonly id: string;
  readonly order: MediaOrder;
}

/** The provider has said for certain that it makes nothing of an order. */
export class OrderRefused extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** It is certain that the order did not reach the provider: it may be sent again. */
export class OrderNotSent extends Error {}

/** Speaks to something that makes files by the remote. Any other error leaves open what the provider has done. */
export interface MediaClient {
  /** Whether an order that is sent twice under one key is made once. */
  readonly submitsOnce: boolean;
  /** How long to wait between two looks at a remote. */
  readonly pollMs: number;
  /** @returns the task's id at the provider. @throws OrderRefused, OrderNotSent, or another error where nobody knows. */
  submit(order: MediaOrder, key: string, signal: AbortSignal): Promise<string>;
  poll(remote: RemoteTask, signal: AbortSignal): Promise<RemoteState>;
  cancel(remote: RemoteTask, signal: AbortSignal): Promise<void>;
  /** The bytes of one file of a task that succeeded. */
  open(remote: RemoteTask, position: number, signal: AbortSignal): Promise<ReadableStream<Uint8Array>>;
}
