import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import Busboy from "@fastify/busboy";
import { invalid, Refusal } from "../refusal";

const MAX_FIELDS = 40;
const USUAL_FIELD_BYTES = 1_024;

/** The text fields of a multipart body, as name and value, in their order. */
export type MultipartFields = readonly (readonly [name: string, value: string])[];

/** A file of a multipart body. */
export interface FilePart {
  /** The name of its field. */
  readonly name: string;
  readonly filename: string;
  readonly mimeType: string;
}

export interface MultipartShape {
  /** The fields that are files, at least one of which the body must have. */
  readonly files: readonly string[];
  /** The longest text field; 1 KiB by default. */
  readonly fieldBytes?: number;
  /** The most files; 1 by default. Others are skipped. */
  readonly maxFiles?: number;
}

/**
 * Reads a body of the type multipart/form-data while it arrives. Files are handed on one after another as streams, which
 * are read as fast as `take` takes them.
 * @throws Refusal 400 for a malformed body or one without a file, and what `pieces` and `take` throw.
 */
export async function readMultipart(
  contentType: string | null,
  pieces: AsyncIterable<Uint8Array>,
  { files, fieldBytes = USUAL_FIELD_BYTES, maxFiles = 1 }: MultipartShape,
  take: (file: Readable, part: FilePart) => Promise<void>,
): Promise<MultipartFields> {
  const parser = openParser(contentType, fieldBytes, maxFiles);
  const fields: [string, string][] = [];
  const taking: Promise<unknown>[] = [];
  let fault: Refusal | null = null;
  let stream: Readable | null = null;
  // The pipeline and the file's reader hear of it too, or have ended.
  const ignore = () => {};
  parser.on("error", ignore);
  parser.on("fieldsLimit", () => (fault ??= tooManyFields()));
  parser.on("field", (name, value, _, isTruncated) => {
    if (isTruncated) fault ??= invalid(name, `${name} must be at most ${fieldBytes} bytes long.`);
    fields.push([name, value]);
  });
  parser.on("file", (name, file, filename, _, mimeType) => {
    if (!files.includes(name) || taking.length === maxFiles) return void file.resume();
    stream = file;
    file.on("error", ignore);
    // The rest of the body is read, so that the client hears why.
    const taken = take(file, { name, filename: filename ?? "", mimeType }).then(
      () => null,
      (error: unknown) => (file.resume(), { error }),
    );
    taking.push(taken);
  });
  try {
    await pipeline(pieces, parser);
  } catch (error) {
    (stream as Readable | null)?.destroy(error as Error);
    await Promise.all(taking);
    throw error instanceof Refusal ? error : malformed();
  }
  const failed = (await Promise.all(taking)).find(Boolean) as { readonly error: unknown } | undefined;
  if (failed) throw failed.error;
  if (fault) throw fault as Refusal;
  const [required = "file"] = files;
  if (taking.length === 0)
    throw invalid(required, `${required} is required: send it as a part of the body.`, "missing_field");
  return fields;
}

function openParser(contentType: string | null, fieldSize: number, maxFiles: number) {
  const limits = { fields: MAX_FIELDS, fieldSize, parts: MAX_FIELDS + maxFiles };
  try {
    return new Busboy({ headers: { "content-type": contentType ?? "" }, limits });
  } catch {
    throw invalid("body", "The body must be multipart/form-data with a boundary, as a form sends files.");
  }
}

function tooManyFields(): Refusal {
  return invalid("body", `The body has more than ${MAX_FIELDS} fields. Send fewer.`);
}

function malformed(): Refusal {
  return invalid("body", "The body is no whole multipart/form-data: it ends within a part. Send it again.");
}
