import type { filePurposes } from "@/lib/contract/calls/file-purposes";

/** See `schema.ts` for units. */
export interface FileTables {
  files: {
    id: string;
    project_id: string;
    /** The key or member that created it; null for files that are older than this column. */
    key_id: string | null;
    purpose: (typeof filePurposes)[number];
    filename: string;
    bytes: number;
    created_at_ms: number;
    /** Null during the upload. */
    stored_at_ms: number | null;
    expires_at_ms: number | null;
  };
  /** The files that were moved to the bucket. */
  stored_objects: {
    id: string;
    position: number;
    /** In hexadecimal digits. */
    sha256: string;
  };
}
