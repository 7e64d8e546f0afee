import type { StoredFileObject } from "@/lib/contract/operations/files";
import type { FileRecord } from "./file-store";

export function describeFile(file: FileRecord): StoredFileObject {
  const { id, projectId, purpose, filename, bytes, createdAtMs, expiresAtMs } = file;
  return {
    id,
    object: "file",
    bytes,
    created_at: Math.floor(createdAtMs / 1000),
    expires_at: expiresAtMs === null ? null : Math.floor(expiresAtMs / 1000),
    filename,
    purpose,
    status: "processed",
    project_id: projectId,
  };
}
