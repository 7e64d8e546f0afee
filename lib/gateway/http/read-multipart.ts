import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import Busboy from "@fastify/busboy";
import { invalid, Refusal } from "../refusal";

const MAX_FIELDS = 20;
const MAX_FIELD_BYTES = 1_024;

/** The fields of a multipart body by name, but for its file. */
export type MultipartFields = ReadonlyMap<string, string>;

/**
 * Reads a body of the type multipart/form-data while it comes. Its field `file` is handed on as a stream, which is read as fast as
 * `take` takes it; nothing of it is kept.
 * @throws Refusal 400 for a body that is no such thing or has no file, and what `pieces` and `take` throw.
 */
export async function readMultipart(
  contentType: string | null,
  pieces: AsyncIterable<Uint8Array>,
  take: (file: Readable, filename: string) => Promise<void>,
): Promise<MultipartFields> {
  const parser = openParser(contentType);
  const fields = new Map<string, string>();
  let taking: Promise<unknown> | null = null;
  let stream: Readable | null = null;
  // The pipeline and the file's reader hear of it too, or have ended.
  const ignore = () => {};
  parser.on("error", ignore);
  parser.on("field", (name, value) => void fields.set(name, value));
  parser.on("file", (name, file, filename) => {
    if (name !== "file" || stream) return void file.resume();
    stream = file;
    file.on("error", ignore);
    // The rest of the body is read, so that the client hears why.
    taking = take(file, filename ?? "").then(
      () => null,
      (error: unknown) => (file.resume(), { error }),
    );
  });
  try {
    await pipeline(pieces, parser);
  } catch (error) {
    (stream as Readable | null)?.destroy(error as Error);
    await taking;
    throw error instanceof Refusal ? error : malformed();
  }
  const failed = (await taking) as { readonly error: unknown } | null;
  if (failed) throw failed.error;
  if (!stream) throw invalid("file", "file is required: send it as a part of the body.", "missing_field");
  return fields;
}

function openParser(contentType: string | null) {
  const limits = { fields: MAX_FIELDS, fieldSize: MAX_FIELD_BYTES, parts: MAX_FIELDS + 1 };
  try {
    return new Busboy({ headers: { "content-type": contentType ?? "" }, limits });
  } catch {
    throw invalid("body", "The body must be multipart/form-data with a boundary, as a form sends files.");
  }
}

function malformed(): Refusal {
  return invalid("body", "The body is no whole multipart/form-data: it ends within a part. Send it again.");
}
