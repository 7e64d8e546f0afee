import { noteAction } from "../../changes/transactions.sql";
import type { Reads } from "../../database/database";
import type { StoredBody, StoredBodyReader, StoredTexts } from "../stored-body";
import { unsealBody } from "./seal-body";

/** Reads stored bodies, with the gateway's secret. */
export function createSqliteStoredBodyReader(reads: Reads, key: Uint8Array): StoredBodyReader {
  return {
    async findMetadata(requestId) {
      const row = await reads
        .selectFrom("request_bodies")
        .select(({ eb }) => ["sealed_metadata", eb("sealed_texts", "is not", null).as("is_whole")])
        .where("id", "=", requestId)
        .executeTakeFirst();
      if (!row) return null;
      const metadata = unsealBody<StoredBody["metadata"]>(row.sealed_metadata, requestId, "metadata", key);
      return metadata && { metadata, isWhole: Boolean(row.is_whole) };
    },
    async findTexts(requestId) {
      const row = await reads
        .selectFrom("request_bodies")
        .select("sealed_texts")
        .where("id", "=", requestId)
        .executeTakeFirst();
      const sealedTexts = row?.sealed_texts ?? null;
      return sealedTexts === null ? null : unsealBody<StoredTexts>(sealedTexts, requestId, "texts", key);
    },
    async noteReading(transaction, { requestId: id, projectId: project_id }) {
      await noteAction(transaction, { object: "requests", id, project_id });
    },
  };
}
