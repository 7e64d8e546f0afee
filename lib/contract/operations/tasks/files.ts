import * as z from "zod/mini";
import { filePurposes, uploadPurposes } from "../../calls/file-purposes";
import { DAY_S, HOUR_S } from "../../durations";
import { defineOperations } from "../../operation";
import { binary } from "../../raw-reply";
import { orderedPageQuery, pageSchema, unixSeconds } from "../../schema";
import { withVersion } from "../../version";

export const MAX_FILE_BYTES = 200 * 1024 * 1024;
export const MAX_FILES = 1_000;
/** The most that all files of a project have together. */
export const MAX_STORED_BYTES = 5 * 1024 * 1024 * 1024;

/** Follows OpenAI's API reference, "The file object". */
const file = withVersion(
  z.object({
    id: z.string(),
    object: z.literal("file"),
    bytes: z.int(),
    created_at: unixSeconds,
    /** When the file is deleted; null if files are kept forever. */
    expires_at: z.nullable(unixSeconds),
    filename: z.string(),
    purpose: z.enum(filePurposes),
    status: z.literal("processed"),
    project_id: z.string(),
  }),
);
export type StoredFileObject = z.output<typeof file>;

/** Seconds from a file's creation to its deletion: 1 hour to 30 days. */
export const expiresAfter = z.strictObject({
  anchor: z.literal("created_at"),
  seconds: z.int().check(z.minimum(HOUR_S), z.maximum(30 * DAY_S)),
});

/** The fields of an upload other than the file. */
export const uploadFields = z.strictObject({
  purpose: z.enum(uploadPurposes),
  expires_after: z.optional(expiresAfter),
});

export const fileOperations = defineOperations(
  { surface: "v1", scope: "any project" },
  {
    uploadFile: {
      method: "POST",
      effect: "creates",
      path: "/files",
      limitedKeys: ["files"],
      scope: "named project",
      permission: "api.files.write",
      summary:
        "Stores a file, sent as multipart/form-data with the fields file and purpose (batch or user_data), up to 200 MiB.",
      bodyBounds: { bytes: MAX_FILE_BYTES + 64 * 1024, entries: 1 },
      reply: file,
    },
    listFiles: {
      method: "GET",
      path: "/files",
      limitedKeys: ["files"],
      permission: "api.files.read",
      summary: "Lists files, newest first.",
      query: z.extend(orderedPageQuery, {
        project_id: z.optional(z.string()),
        purpose: z.optional(z.enum(filePurposes)),
      }),
      reply: pageSchema(file),
    },
    retrieveFile: {
      method: "GET",
      path: "/files/{file_id}",
      limitedKeys: ["files"],
      permission: "api.files.read",
      summary: "Returns what is known of a file.",
      reply: file,
    },
    retrieveFileContent: {
      method: "GET",
      path: "/files/{file_id}/content",
      limitedKeys: ["files"],
      permission: "api.files.read",
      summary:
        "Returns a file's bytes, or the part of them that the header Range asks for. For whoever made the file, calls models in its project, or may read request bodies there.",
      reply: binary("application/octet-stream"),
    },
    deleteFile: {
      method: "DELETE",
      effect: "deletes",
      path: "/files/{file_id}",
      limitedKeys: ["files"],
      permission: "api.files.write",
      summary: "Deletes a file. One that a batch is reading is refused until the batch has ended.",
      reply: z.object({ id: z.string(), object: z.literal("file"), deleted: z.literal(true) }),
    },
  },
);
