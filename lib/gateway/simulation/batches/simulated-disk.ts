import type { ResultFiles } from "../../batches/result-files";
import type { StoredFile } from "../../files/file-storage";
import type { SeededRandom } from "../seeded-random";

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

interface Pending {
  readonly what: string;
  /** Null once it is done. */
  act: (() => Promise<() => void>) | null;
  answer: () => void;
  /** Called if the process dies before it learns that the effect is done. */
  readonly onLost: (() => void) | undefined;
}

/**
 * The effects of one process on the store and the disk. Each takes two steps, which the simulation picks: it is done,
 * and the process learns of it. In between the process may die, or time may pass.
 */
export class EffectQueue {
  #pending: Pending[] = [];

  get size(): number {
    return this.#pending.length;
  }

  ask<Result>(what: string, act: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const settle = () =>
        act().then(
          (result) => () => resolve(result),
          (error: unknown) => () => reject(error),
        );
      this.#pending.push({ what, act: settle, answer: () => {}, onLost: undefined });
    });
  }

  /** An effect that is done at once, in the same tick as the code that asks for it. */
  askAtOnce<Result>(what: string, act: () => Result, onLost: () => void): Promise<Result> {
    const result = act();
    return new Promise((resolve) => {
      this.#pending.push({ what, act: null, answer: () => resolve(result), onLost });
    });
  }

  /** Takes one step of one of the effects. @returns which one. */
  async step(random: SeededRandom): Promise<string> {
    const at = random.between(0, this.#pending.length - 1);
    const pending = this.#pending[at];
    if (!pending) return "nothing";
    if (pending.act) {
      pending.answer = await pending.act();
      pending.act = null;
      return `${pending.what} is done`;
    }
    this.#pending.splice(at, 1);
    pending.answer();
    return `${pending.what} is answered`;
  }

  /** The process dies: what was not done never is. */
  lose(): void {
    for (const { act, onLost } of this.#pending) if (!act) onLost?.();
    this.#pending = [];
  }
}
