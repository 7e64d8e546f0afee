import type { Attachment } from "./message";

/** All attachments of a conversation must fit into one request to the console. */
export const MAX_BYTES = 8 * 1024 * 1024;
/** A recording is sent as it is, and so may be larger. */
const MAX_AUDIO_BYTES = 15 * 1024 * 1024;

const TEXT = /^(text\/|application\/(json|xml|x-yaml|yaml|javascript|typescript|x-sh)$)/;
/** What transcription models take; some of them are films. */
const AUDIO_NAME = /\.(flac|m4a|mp3|mp4|mpe?ga|oga|ogg|wav|webm)$/i;
const TEXT_NAME =
  /\.(txt|md|csv|tsv|json|ya?ml|xml|html?|css|[jt]sx?|py|rb|go|rs|java|c|h|cpp|sh|sql|toml|ini|log)$/i;

/** Control characters could forge lines of a prompt, or turn a name around on the screen. */
const CONTROLS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const MAX_NAME_LENGTH = 200;

/** Reads dropped, pasted or chosen files. `refused` says why of each file that can't be sent. */
export async function readAttachments(
  files: readonly File[],
  heldBytes: number,
): Promise<{ attachments: Attachment[]; refused: string[] }> {
  const attachments: Attachment[] = [];
  const refused: string[] = [];
  let bytes = heldBytes;
  for (const file of files) {
    const kind = kindOf(file);
    const name = shownName(file);
    if (kind === null) refused.push(`${name} is not an image, a PDF, a recording or text.`);
    else if (bytes + file.size > (kind === "audio" ? MAX_AUDIO_BYTES : MAX_BYTES))
      refused.push(tooLarge(name, kind));
    else {
      const read = await readAttachment(file, name, kind).catch(() => null);
      if (read) attachments.push(read);
      else refused.push(`${name} can't be read. It may be a folder, or no longer be there.`);
      bytes += read ? file.size : 0;
    }
  }
  return { attachments, refused };
}

function shownName({ name }: File): string {
  const shown = name.replace(CONTROLS, "").trim();
  return [...shown].slice(0, MAX_NAME_LENGTH).join("") || "File without a name";
}

function tooLarge(name: string, kind: Attachment["kind"]): string {
  return kind === "audio"
    ? `${name} is too large: 15 MB is the most for a recording here. Programs may send 25 MiB.`
    : `${name} is too large: 8 MB is the most for one message.`;
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
  if (/^(audio|video)\//.test(type) || AUDIO_NAME.test(name)) return "audio";
  return TEXT.test(type) || TEXT_NAME.test(name) ? "text" : null;
}

async function readAttachment(file: File, name: string, kind: Attachment["kind"]): Promise<Attachment> {
  const { type: mimeType } = file;
  if (kind === "text") return { name, mimeType: "text/plain", kind, data: await file.text() };
  const data = toBase64(new Uint8Array(await file.arrayBuffer()));
  if (kind !== "audio") return { name, mimeType, kind, data };
  const seconds = await secondsOf(file);
  return { name, mimeType: mimeType || "audio/mpeg", kind, data, ...(seconds !== null && { seconds }) };
}

/** The length of a recording; null where the browser can't play it. */
function secondsOf(file: File): Promise<number | null> {
  const source = URL.createObjectURL(file);
  const player = new Audio();
  const length = new Promise<number | null>((resolve) => {
    player.onloadedmetadata = () => resolve(Number.isFinite(player.duration) ? player.duration : null);
    player.onerror = () => resolve(null);
  });
  player.preload = "metadata";
  player.src = source;
  return length.finally(() => URL.revokeObjectURL(source));
}

const PIECE = 0x8000;

function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let at = 0; at < bytes.length; at += PIECE) {
    binary += String.fromCharCode(...bytes.subarray(at, at + PIECE));
  }
  return btoa(binary);
}
