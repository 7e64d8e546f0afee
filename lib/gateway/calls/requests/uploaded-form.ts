import { createHash } from "node:crypto";
import type { LocalFiles } from "../../files/file-storage";
import {
  type MultipartFields,
  type MultipartShape,
  readMultipart,
  type SentFile,
} from "../../http/forms/multipart";
import { invalid, Refusal, retryAfter } from "../../refusal";

/** A form whose files are on disk until its call has ended. */
export interface UploadedForm {
  readonly fields: MultipartFields;
  readonly files: readonly UploadedFile[];
  /** SHA-256 of the fields and files in their order. It doesn't depend on the boundary that a client chooses. */
  readonly hash: string;
  /** Deletes the files, unless they were kept. */
  release(): void;
  /** Leaves the files on disk, to whoever reads them after the call. */
  keep(): void;
}

export interface UploadedFile extends SentFile {
  /** The file's path on disk. */
  readonly path: string;
}

/** The maximum number of uploads at a time. */
const MAX_CONCURRENT = 200;
/** The share of one key, so that its slow uploads leave places for others. */
const MAX_PER_KEY = 50;
const FIELD_BYTES = 32 * 1024;

/** Receives forms with files. The files are written to disk as they arrive. */
export class FormReceiver {
  /** The forms that are being received or on disk, without those left to tasks. */
  #held = 0;
  readonly #heldByKey = new Map<string, number>();

  /** @param maxOnDisk the maximum number of calls whose files are on disk, including those that tasks keep. */
  constructor(
    private readonly incoming: LocalFiles,
    private readonly logFault: (where: string, error: unknown) => void,
    private readonly maxOnDisk?: number,
  ) {}

  /** @throws Refusal 400 for a malformed form, 503 if too many uploads are in progress, and the errors of `pieces`. */
  async receive(
    { id, keyId }: { readonly id: string; readonly keyId: string },
    contentType: string | null,
    pieces: AsyncIterable<Uint8Array>,
    shape: Pick<MultipartShape, "files" | "maxFiles">,
  ): Promise<UploadedForm> {
    if (this.maxOnDisk !== undefined && (await this.incoming.ids()).length >= this.maxOnDisk)
      throw tooManyUploads();
    const own = this.#heldByKey.get(keyId) ?? 0;
    if (this.#held >= MAX_CONCURRENT || own >= MAX_PER_KEY) throw tooManyUploads();
    this.#count(keyId, 1);
    let hasFreeSlot = true;
    const giveUpPlace = () => {
      const hadPlace = hasFreeSlot;
      if (hadPlace) this.#count(keyId, -1);
      hasFreeSlot = false;
      return hadPlace;
    };
    const keep = () => void giveUpPlace();
    const release = () => {
      if (!giveUpPlace()) return;
      this.incoming.delete(id).catch((error: unknown) => this.logFault(id, error));
    };
    try {
      return { ...(await this.#read(id, contentType, pieces, shape)), release, keep };
    } catch (error) {
      release();
      throw error;
    }
  }

  #count(keyId: string, by: 1 | -1): void {
    this.#held += by;
    const own = (this.#heldByKey.get(keyId) ?? 0) + by;
    if (own === 0) this.#heldByKey.delete(keyId);
    else this.#heldByKey.set(keyId, own);
  }

  async #read(
    id: string,
    contentType: string | null,
    pieces: AsyncIterable<Uint8Array>,
    shape: Pick<MultipartShape, "files" | "maxFiles">,
  ): Promise<Omit<UploadedForm, "release" | "keep">> {
    const files: UploadedFile[] = [];
    const hashes: string[] = [];
    let begun = 0;
    const fields = await readMultipart(
      contentType,
      pieces,
      { ...shape, fieldBytes: FIELD_BYTES },
      async (stream, part) => {
        // The next file may begin before this one is on disk.
        const position = begun++;
        const hash = createHash("sha256");
        const bytes = await this.incoming.write(id, position, hashPieces(stream, hash));
        if (bytes === 0) throw invalid(part.name, `${part.name} is empty.`);
        hashes[position] = `${part.name} ${part.filename} ${hash.digest("hex")}`;
        const path = this.incoming.findPath(id, position);
        files[position] = { ...part, bytes, path, read: () => Bun.file(path).stream() };
      },
    );
    const hash = createHash("sha256")
      .update(JSON.stringify([fields, hashes]))
      .digest("hex");
    return { fields, files, hash };
  }
}

async function* hashPieces(
  stream: AsyncIterable<Uint8Array>,
  hash: ReturnType<typeof createHash>,
): AsyncGenerator<Uint8Array> {
  for await (const piece of stream) {
    hash.update(piece);
    yield piece;
  }
}

function tooManyUploads(): Refusal {
  const message =
    "The gateway is receiving as many files as it may at a time, or your key has sent its share. Try again in a second.";
  return new Refusal(503, "service_error", "too_much_at_once", message, { headers: retryAfter(1) });
}
