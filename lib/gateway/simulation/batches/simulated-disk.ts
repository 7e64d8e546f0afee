import type { ResultFiles } from "../../batches/result-files";
import type { StoredFile } from "../../files/file-storage";
import type { SeededRandom } from "../seeded-random";
import type { EffectQueue } from "./effect-queue";

/** The files of all processes. */
export class SimulatedDisk {
  readonly #files = new Map<string, Buffer>();

  write(id: string, text: string): void {
    this.#files.set(id, Buffer.from(text));
  }

  delete(id: string): void {
    this.#files.delete(id);
  }

  read(id: string): Buffer {
    return this.#files.get(id) ?? Buffer.alloc(0);
  }

  async open(id: string): Promise<StoredFile | null> {
    const bytes = this.#files.get(id);
    if (!bytes) return null;
    return {
      bytes: bytes.byteLength,
      read: (start, end) =>
        new ReadableStream<Uint8Array>({
          start(stream) {
            stream.enqueue(new Uint8Array(bytes.subarray(start, end)));
            stream.close();
          },
        }),
    };
  }

  /** If the process dies while it writes, any part of what it wrote is on the disk. */
  resultFiles(effects: EffectQueue, random: SeededRandom): ResultFiles {
    return {
      append: async (id, at, lines) => {
        if (lines.length === 0) return at;
        const addedBytes = Buffer.concat(lines.flat());
        const newContent = Buffer.concat([this.read(id).subarray(0, at), addedBytes]);
        const tear = () => {
          if (this.#files.get(id) !== newContent || random.chance(0.5)) return;
          this.#files.set(id, newContent.subarray(0, random.between(at, newContent.byteLength)));
        };
        const write = () => {
          this.#files.set(id, newContent);
          return at + addedBytes.byteLength;
        };
        return effects.askAtOnce(`write of ${lines.length} results`, write, tear);
      },
    };
  }
}
