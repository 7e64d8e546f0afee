import type { BodyMetadata } from "@/lib/contract/operations/request-bodies";
import type { Transaction } from "../changes/transaction";

/** The beginning of a text, and its whole size. */
export interface BytesBegun {
  readonly begin: Uint8Array<ArrayBuffer>;
  readonly size: number;
}

/** The raw request and reply of a call whose project stores bodies. */
export interface BodyDraft {
  readonly requestId: string;
  readonly projectId: string;
  readonly atMs: number;
  readonly mode: "metadata" | "whole";
  readonly redactions: readonly string[];
  readonly request: BytesBegun;
  /** Null for a call without a reply. */
  readonly reply: BytesBegun | null;
  /** Whether the reply is server-sent events. */
  readonly isStream: boolean;
}

export interface KeptText {
  readonly text: string | null;
  readonly isCut: boolean;
}

export interface KeptTexts {
  readonly request: KeptText;
  readonly reply: KeptText | null;
  /** The number of redacted passages. */
  readonly redacted: number;
}

/** The stored parts of a call's body. */
export interface KeptBody {
  readonly requestId: string;
  readonly projectId: string;
  readonly atMs: number;
  readonly metadata: BodyMetadata;
  /** Null where the project stores metadata only. */
  readonly texts: KeptTexts | null;
}

/** Stores bodies in the background. Calls never wait: a body that doesn't fit into the queue is dropped and logged. */
export interface BodyKeeper {
  keep(draft: BodyDraft): void;
  /** Whether a call's body is queued. */
  isWaiting(requestId: string): boolean;
}

export interface KeptBodyReader {
  /**
   * The metadata, and whether texts are stored. Null where nothing is stored, or where it was sealed with another secret.
   */
  findMetadata(
    requestId: string,
  ): Promise<(Pick<KeptBody, "metadata"> & { readonly isWhole: boolean }) | null>;
  /** Null where no texts are stored, or where they were sealed with another secret. */
  findTexts(requestId: string): Promise<KeptTexts | null>;
  /** Records in the audit log that somebody reads the texts of a call. */
  noteReading(
    transaction: Transaction,
    call: { readonly requestId: string; readonly projectId: string },
  ): Promise<void>;
}
