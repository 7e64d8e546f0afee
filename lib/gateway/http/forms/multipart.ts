import { randomBytes } from "node:crypto";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import Busboy from "@fastify/busboy";
import { invalid, Refusal } from "../../refusal";
import type { RequestHeaders } from "../../request-headers";
import { type BodyPieces, joinPieces } from "../body-reader";

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
  /** The names of the file fields. The body must contain at least one of them. */
  readonly files: readonly string[];
  /** The maximum size of a text field; 1 KiB by default. */
  readonly fieldBytes?: number;
  /** The maximum number of files; further ones are skipped. By default 1, and a second one is refused. */
  readonly maxFiles?: number;
}

/**
 * Reads a multipart/form-data body while it arrives. Passes files to `take` one after another, as streams that are read
 * as fast as `take` consumes them.
 * @throws Refusal 400 for a malformed body, one without a file or with a second one, or a field that appears twice, and
 * the errors of `pieces` and `take`.
 */
export async function readMultipart(
  contentType: string | null,
  pieces: AsyncIterable<Uint8Array>,
  { files, fieldBytes = USUAL_FIELD_BYTES, maxFiles }: MultipartShape,
  take: (file: AsyncIterable<Uint8Array>, part: FilePart) => Promise<void>,
): Promise<MultipartFields> {
  const parser = openParser(contentType, fieldBytes, maxFiles ?? 1);
  const fields: [string, string][] = [];
  const partResults: Promise<unknown>[] = [];
  let fault: Refusal | null = null;
  let stream: Readable | null = null;
  // The error also reaches the pipeline and the file's reader, unless they have ended.
  const ignore = () => {};
  parser.on("error", ignore);
  parser.on("fieldsLimit", () => (fault ??= tooManyFields()));
  parser.on("field", (name, value, _, isTruncated) => {
    if (isTruncated) fault ??= invalid(name, `${name} must be at most ${fieldBytes} bytes long.`);
    fields.push([name, value]);
  });
  parser.on("file", (name, file, filename, _, mimeType) => {
    if (!files.includes(name)) return void file.resume();
    if (maxFiles === undefined && partResults.length === 1)
      fault ??= invalid(name, `"${name}" appears twice in the form; send it once.`);
    if (partResults.length === (maxFiles ?? 1)) return void file.resume();
    stream = file;
    file.on("error", ignore);
    // Read the rest of the body, so that the client receives the error.
    const bytes = file.iterator({ destroyOnReturn: false });
    const partResult = take(bytes, { name, filename: filename ?? "", mimeType }).then(
      () => null,
      (error: unknown) => (file.resume(), { error }),
    );
    partResults.push(partResult);
  });
  try {
    await pipeline(pieces, parser);
  } catch (error) {
    (stream as Readable | null)?.destroy(error as Error);
    await Promise.all(partResults);
    throw error instanceof Refusal ? error : malformedMultipart();
  }
  const failure = (await Promise.all(partResults)).find(Boolean) as { readonly error: unknown } | undefined;
  if (failure) throw failure.error;
  if (fault) throw fault as Refusal;
  const [required = "file"] = files;
  if (partResults.length === 0)
    throw invalid(required, `${required} is required: send it as a part of the body.`, "missing_field");
  refuseRepeatedFields(fields);
  return fields;
}

/** A repeated field would be ambiguous. Fields with several values have names that end in `[]`. */
function refuseRepeatedFields(fields: MultipartFields): void {
  const names = new Set<string>();
  for (const [name] of fields) {
    if (names.has(name) && !name.endsWith("[]"))
      throw invalid(name, `"${name}" appears twice in the form; send it once.`);
    names.add(name);
  }
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

function malformedMultipart(): Refusal {
  return invalid("body", "The multipart/form-data body is incomplete: it ends within a part. Send it again.");
}

/** A file to send as a part of a form. */
export interface SentFile extends FilePart {
  readonly bytes: number;
  read(): AsyncIterable<Uint8Array>;
}

/** A form as multipart/form-data. The files are read while it is sent. */
export function writeMultipart(fields: MultipartFields, files: readonly SentFile[]) {
  const boundary = `gatehouse-${randomBytes(16).toString("hex")}`;
  const formatPart = (name: string, more = "") =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${escapeName(name)}"${more}\r\n`;
  const text = Buffer.from(fields.map(([name, value]) => `${formatPart(name)}\r\n${value}\r\n`).join(""));
  const heads = files.map(({ name, filename, mimeType }) =>
    Buffer.from(
      `${formatPart(name, `; filename="${escapeName(filename)}"`)}content-type: ${oneLine(mimeType)}\r\n\r\n`,
    ),
  );
  const lineEnd = Buffer.from("\r\n");
  const end = Buffer.from(`--${boundary}--\r\n`);
  const fileBytes = files.reduce(
    (sum, { bytes }, at) => sum + bytes + (heads[at]?.length ?? 0) + lineEnd.length,
    0,
  );
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    bytes: text.length + fileBytes + end.length,
    async *read(): AsyncGenerator<Uint8Array> {
      yield text;
      for (const [at, file] of files.entries()) {
        yield heads[at] ?? lineEnd;
        yield* file.read();
        yield lineEnd;
      }
      yield end;
    },
  };
}

/** Quotes a name for a part's header, as the HTML standard specifies. */
function escapeName(name: string): string {
  return name.replaceAll("\r", "%0D").replaceAll("\n", "%0A").replaceAll('"', "%22");
}

function oneLine(type: string): string {
  return /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(type) ? type : "application/octet-stream";
}

const MAX_FORM_FIELDS = 100;
const FORM = /^multipart\/form-data\b/i;

/** Returns true for a multipart form. */
export function isForm(headers: RequestHeaders): boolean {
  return FORM.test(headers.get("content-type") ?? "");
}

/**
 * Reads a short form of text fields as a JSON object.
 * @throws Refusal 400 for a malformed form, a file, a repeated field, or more than 100 fields.
 */
export async function formToJson(pieces: BodyPieces, headers: RequestHeaders): Promise<Uint8Array> {
  const type = headers.get("content-type") ?? "";
  if (!/;\s*boundary=/i.test(type)) throw malformedForm("Its content-type names no boundary.");
  const fields = new Map<string, string>();
  for (const [name, value] of await parse(pieces, type)) {
    if (typeof value !== "string") throw invalid(name, `${name} can't be a file here.`);
    if (fields.has(name)) throw invalid(name, `"${name}" appears twice in the form; send it once.`);
    if (fields.size === MAX_FORM_FIELDS)
      throw malformedForm(`It has more than ${MAX_FORM_FIELDS} fields: send fewer.`);
    fields.set(name, value);
  }
  return new TextEncoder().encode(JSON.stringify(Object.fromEntries(fields)));
}

async function parse(pieces: BodyPieces, type: string): Promise<FormData> {
  const response = new Response(new Uint8Array(joinPieces(pieces)), { headers: { "content-type": type } });
  try {
    return await response.formData();
  } catch {
    throw malformedForm("Its parts can't be read.");
  }
}

function malformedForm(why: string): Refusal {
  return invalid("body", `The form is malformed. ${why} Send multipart/form-data as HTTP libraries make it.`);
}
