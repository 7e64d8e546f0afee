import type { Attachment } from "./message";

/** All attachments of a conversation must fit into one request to the console. */
export const MAX_BYTES = 8 * 1024 * 1024;

const TEXT = /^(text\/|application\/(json|xml|x-yaml|yaml|javascript|typescript|x-sh)$)/;
const TEXT_NAME =
  /\.(txt|md|csv|tsv|json|ya?ml|xml|html?|css|[jt]sx?|py|rb|go|rs|java|c|h|cpp|sh|sql|toml|ini|log)$/i;

/** Reads dropped, pasted or chosen files. `refused` has the names of files that models can't take. */
export async function readAttachments(
  files: readonly File[],
  heldBytes: number,
): Promise<{ attachments: Attachment[]; refused: string[] }> {
  const attachments: Attachment[] = [];
  const refused: string[] = [];
  let bytes = heldBytes;
  for (const file of files) {
    const kind = kindOf(file);
    bytes += file.size;
    if (kind === null) refused.push(`${file.name} is not an image, a PDF or text.`);
    else if (bytes > MAX_BYTES) refused.push(`${file.name} is too large: 8 MB is the most for one message.`);
    else attachments.push(await readAttachment(file, kind));
  }
  return { attachments, refused };
}

export function bytesOf(attachments: readonly Attachment[]): number {
  return attachments.reduce(
    (sum, { data, kind }) => sum + (kind === "text" ? data.length : data.length * 0.75),
    0,
  );
}

function kindOf({ type, name }: File): Attachment["kind"] | null {
  if (/^image\/(png|jpeg|gif|webp)$/.test(type)) return "image";
  if (type === "application/pdf") return "document";
  return TEXT.test(type) || TEXT_NAME.test(name) ? "text" : null;
}

async function readAttachment(file: File, kind: Attachment["kind"]): Promise<Attachment> {
  const { name, type: mimeType } = file;
  if (kind === "text") return { name, mimeType: "text/plain", kind, data: await file.text() };
  return { name, mimeType, kind, data: toBase64(new Uint8Array(await file.arrayBuffer())) };
}

const PIECE = 0x8000;

function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let at = 0; at < bytes.length; at += PIECE) {
    binary += String.fromCharCode(...bytes.subarray(at, at + PIECE));
  }
  return btoa(binary);
}
