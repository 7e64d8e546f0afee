import { randomBytes } from "node:crypto";
import type { FilePart, MultipartFields } from "./read-multipart";

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
