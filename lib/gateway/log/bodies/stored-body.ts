import type { BodyMetadata } from "@/lib/contract/operations/calls/request-bodies";

/** The beginning of a text, and its whole size. */
export interface Excerpt {
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
  readonly request: Excerpt;
  /** Null for a call without a reply. */
  readonly reply: Excerpt | null;
  /** Whether the reply is server-sent events. */
  readonly isStream: boolean;
}

export interface StoredText {
  readonly text: string | null;
  readonly isCut: boolean;
}

export interface StoredTexts {
  readonly request: StoredText;
  readonly reply: StoredText | null;
  /** The number of redacted passages. */
  readonly redacted: number;
}

/** The stored parts of a call's body. */
export interface StoredBody {
  readonly requestId: string;
  readonly projectId: string;
  readonly atMs: number;
  readonly metadata: BodyMetadata;
  /** Null where the project stores metadata only. */
  readonly texts: StoredTexts | null;
}
