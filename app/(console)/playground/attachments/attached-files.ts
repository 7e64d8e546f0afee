import type { Attachment } from "@/components/playground/messages/message";
import { readTextFile } from "@/components/ui/csv/read-text-file";
import { formatBytes } from "@/lib/contract/format-bytes";
import { readImageHeader } from "./image-header";

interface AttachedState {
  readonly attachments: readonly Attachment[];
  /** True while files are being read, which are not among the attachments yet. */
  readonly isReading: boolean;
}

/** The files of the message being written. They are read in turn, so that each counts those before it. */
export class AttachedFiles {
  #state: AttachedState = { attachments: [], isReading: false };
  /** Resolves with true if all files given so far could be attached. */
  #reading: Promise<boolean> = Promise.resolve(true);
  #waiting = 0;
  /** Counts how often all files were discarded: those that were being read then are discarded, too. */
  #discards = 0;
  #restored: readonly Attachment[] | null = null;
  readonly #listeners = new Set<() => void>();

  constructor(
    private readonly report: (refusal: string) => void,
    private readonly read = readAttachments,
  ) {}

  get state(): AttachedState {
    return this.#state;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly attach = (files: readonly File[]): void => {
    const discards = this.#discards;
    const before = this.#waiting === 0 ? Promise.resolve(true) : this.#reading;
    this.#waiting++;
    this.#change({ isReading: true });
    this.#reading = before.then(async (areAttached) => {
      const { attachments, refused } = await this.read(files, countAttachmentBytes(this.#state.attachments));
      this.#waiting--;
      const isWanted = discards === this.#discards;
      this.#change({
        isReading: this.#waiting > 0,
        attachments: [...this.#state.attachments, ...(isWanted ? attachments : [])],
      });
      if (isWanted) refused.forEach(this.report);
      return areAttached && isWanted && refused.length === 0;
    });
  };

  readonly detach = (one: Attachment): void =>
    this.#change({ attachments: this.#state.attachments.filter((other) => other !== one) });

  /**
   * Waits for the files that are being read.
   * @returns false if one of them wasn't attached.
   */
  async settle(): Promise<boolean> {
    return !this.#state.isReading || (await this.#reading);
  }

  /**
   * Removes all attachments.
   * @returns the removed ones.
   */
  take(): readonly Attachment[] {
    const { attachments } = this.#state;
    this.#change({ attachments: [] });
    return attachments;
  }

  /** Restores attachments, unless others have been added since. */
  restore(taken: readonly Attachment[]): void {
    if (this.#state.attachments.length > 0) return;
    this.#restored = taken;
    this.#change({ attachments: taken });
  }

  /** Removes restored attachments again, unless they were changed since. */
  dropRestored(): void {
    if (this.#restored === this.#state.attachments) this.take();
  }

  readonly discard = (): void => {
    this.#discards++;
    this.take();
  };

  #change(next: Partial<AttachedState>): void {
    this.#state = { ...this.#state, ...next };
    for (const listener of this.#listeners) listener();
  }
}

/** Bounds on the files of one message. Those of a conversation are in `refused-pane.ts` (`sizeFault`). */
const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;
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
    const kind = detectKind(file);
    const name = shownName(file);
    if (kind === null) refused.push(`${name} is not an image, a PDF, a recording or text.`);
    else if (bytes + file.size > (kind === "audio" ? MAX_AUDIO_BYTES : MAX_MESSAGE_BYTES))
      refused.push(tooLarge(name, kind));
    else {
      const read = await readAttachment(file, name, kind).catch(
        () => `${name} can’t be read. It may be a folder, or no longer be there.`,
      );
      if (typeof read === "string") refused.push(read);
      else {
        attachments.push(read);
        bytes += file.size;
      }
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
    ? `${name} is too large: ${formatBytes(MAX_AUDIO_BYTES)} is the most for a recording here. Programs may send 25 MiB.`
    : `${name} is too large: ${formatBytes(MAX_MESSAGE_BYTES)} is the most for one message.`;
}

function countAttachmentBytes(attachments: readonly Attachment[]): number {
  return attachments.reduce(
    (sum, { data, kind }) => sum + (kind === "text" ? data.length : data.length * 0.75),
    0,
  );
}

function detectKind({ type, name }: File): Attachment["kind"] | null {
  if (/^image\/(png|jpeg|gif|webp)$/.test(type)) return "image";
  if (type === "application/pdf") return "document";
  if (/^(audio|video)\//.test(type) || AUDIO_NAME.test(name)) return "audio";
  return TEXT.test(type) || TEXT_NAME.test(name) ? "text" : null;
}

/** A PDF can have other bytes before its first line. */
const PDF_WITHIN = 1_024;

/** @returns the attachment, or why it can't be sent. What a file contains counts, not its name or type. */
async function readAttachment(
  file: File,
  name: string,
  kind: Attachment["kind"],
): Promise<Attachment | string> {
  const { type: mimeType } = file;
  if (kind === "text") {
    const data = await readTextFile(file);
    return data.includes("\0") ? `${name} is not a text file.` : { name, mimeType: "text/plain", kind, data };
  }
  const bytes = new Uint8Array(await file.arrayBuffer());
  const data = toBase64(bytes);
  if (kind === "image") {
    const header = readImageHeader(bytes);
    if (!header) return `${name} is not a PNG, JPEG, GIF or WebP image, though it is named as one.`;
    return { name, mimeType: header.mimeType, kind, data };
  }
  if (kind === "document") {
    const isPdf = new TextDecoder("latin1").decode(bytes.subarray(0, PDF_WITHIN)).includes("%PDF-");
    return isPdf ? { name, mimeType, kind, data } : `${name} is not a PDF, though it is named as one.`;
  }
  const seconds = await readSeconds(file);
  return { name, mimeType: mimeType || "audio/mpeg", kind, data, ...(seconds !== null && { seconds }) };
}

/** The length of a recording; null where the browser can't play it. */
function readSeconds(file: File): Promise<number | null> {
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
