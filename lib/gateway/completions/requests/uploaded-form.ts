import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import { type MultipartFields, type MultipartShape, readMultipart } from "../../http/read-multipart";
import type { SentFile } from "../../http/write-multipart";
import { invalid, Refusal } from "../../refusal";
import type { LocalFiles } from "../../tasks/output-files";

/** A form whose files are on disk until its call has ended. */
export interface UploadedForm {
  readonly fields: MultipartFields;
  readonly files: readonly UploadedFile[];
  /** SHA-256 of the fields and files in their order. It doesn't depend on the boundary that a client chooses. */
  readonly hash: string;
  /** Deletes the files. */
  release(): void;
}

export interface UploadedFile extends SentFile {
  /** Its path on disk. */
  readonly path: string;
}

/** The maximum number of uploads at a time. Each reserves disk space for the largest allowed body. */
const MAX_AT_ONCE = 200;
const FIELD_BYTES = 32 * 1024;

/** Receives forms with files. The files are written to disk as they arrive. */
export class FormReceiver {
  #waiting = 0;

  constructor(
    private readonly incoming: LocalFiles,
    private readonly logFault: (where: string, error: unknown) => void,
  ) {}

  /** @throws Refusal 400 for a malformed form, 503 if too many uploads are in progress, and the errors of `pieces`. */
  async receive(
    id: string,
    contentType: string | null,
    pieces: AsyncIterable<Uint8Array>,
    shape: Pick<MultipartShape, "files" | "maxFiles">,
  ): Promise<UploadedForm> {
    if (this.#waiting >= MAX_AT_ONCE) throw tooManyUploads();
    this.#waiting++;
    let isHeld = true;
    const release = () => {
      if (!isHeld) return;
      isHeld = false;
      this.#waiting--;
      this.incoming.delete(id).catch((error: unknown) => this.logFault(id, error));
    };
    try {
      return { ...(await this.#read(id, contentType, pieces, shape)), release };
    } catch (error) {
      release();
      throw error;
    }
  }

  async #read(
    id: string,
    contentType: string | null,
    pieces: AsyncIterable<Uint8Array>,
    shape: Pick<MultipartShape, "files" | "maxFiles">,
  ): Promise<Omit<UploadedForm, "release">> {
    const files: UploadedFile[] = [];
    const hashes: string[] = [];
    const fields = await readMultipart(
      contentType,
      pieces,
      { ...shape, fieldBytes: FIELD_BYTES },
      async (stream, part) => {
        const position = files.length;
        const hash = createHash("sha256");
        const bytes = await this.incoming.write(id, position, hashed(stream, hash));
        if (bytes === 0) throw invalid(part.name, `${part.name} is empty.`);
        hashes.push(`${part.name} ${part.filename} ${hash.digest("hex")}`);
        const path = this.incoming.pathOf(id, position);
        files.push({ ...part, bytes, path, read: () => Bun.file(path).stream() });
      },
    );
    refuseTwice(fields);
    const hash = createHash("sha256")
      .update(JSON.stringify([fields, hashes]))
      .digest("hex");
    return { fields, files, hash };
  }
}

async function* hashed(stream: Readable, hash: ReturnType<typeof createHash>): AsyncGenerator<Uint8Array> {
  for await (const piece of stream as AsyncIterable<Buffer>) {
    hash.update(piece);
    yield piece;
  }
}

/** A repeated field would be ambiguous. Fields with several values have names that end in `[]`. */
function refuseTwice(fields: MultipartFields): void {
  const names = new Set<string>();
  for (const [name] of fields) {
    if (names.has(name) && !name.endsWith("[]"))
      throw invalid(name, `"${name}" stands twice in the form; send it once.`);
    names.add(name);
  }
}

function tooManyUploads(): Refusal {
  const message = "The gateway is receiving as many files as it may at a time. Try again in a second.";
  return new Refusal(503, "service_error", "too_much_at_once", message, { headers: { "retry-after": "1" } });
}
