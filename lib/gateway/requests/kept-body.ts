import type { BodyMetadata } from "@/lib/contract/operations/request-bodies";
import type { Transaction } from "../changes/transaction";

/** The first bytes of a text, and its whole size. */
export interface BytesBegun {
  readonly begin: Uint8Array<ArrayBuffer>;
  readonly size: number;
}

/** The raw request and reply of a call whose project keeps bodies. */
export interface BodyDraft {
  readonly requestId: string;
  readonly projectId: string;
  readonly atMs: number;
  readonly mode: "metadata" | "whole";
  readonly redactions: readonly string[];
  readonly request: BytesBegun;
  /** Null where the call was not answered. */
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
  /** How many passages were redacted. */
  readonly redacted: number;
}

/** What is kept of a call's body. */
export interface KeptBody {
  readonly requestId: string;
  readonly projectId: string;
  readonly atMs: number;
  readonly metadata: BodyMetadata;
  /** Null where the project kept metadata alone. */
  readonly texts: KeptTexts | null;
}

/** Keeps bodies in the background. Calls never wait for it: where it has no room, a body is dropped and logged. */
export interface BodyKeeper {
  keep(draft: BodyDraft): void;
  /** Whether a call's body is about to be kept. */
  isWaiting(requestId: string): boolean;
}

export interface KeptBodyReader {
  /** Whether texts are kept, and the metadata. Null where nothing is kept, or where it was sealed with another secret. */
  findMetadata(
    requestId: string,
  ): Promise<(Pick<KeptBody, "metadata"> & { readonly isWhole: boolean }) | null>;
  /** Null where no texts are kept, or where they were sealed with another secret. */
  findTexts(requestId: string): Promise<KeptTexts | null>;
  /** Writes to the audit log that somebody reads the texts of a call. */
  noteReading(
    transaction: Transaction,
    call: { readonly requestId: string; readonly projectId: string },
  ): Promise<void>;
}
