import type { Database } from "bun:sqlite";
import { statSync } from "node:fs";

/** Nothing may be written any more: the files are not those in the folder, or another process has taken it. */
export class StoreLost extends Error {}

/** What tells a connection's own files from others put in their place. Plain data: it crosses to the writer thread. */
export interface StoreClaim {
  readonly path: string;
  /** What stands in `store_owner` while this process may write. */
  readonly owner: string;
  /** Of the database, its log and its index, in the order of `SUFFIXES`. */
  readonly files: readonly string[];
}

const SUFFIXES = ["", "-wal", "-shm"];
/** How long a look at the files lasts: three of them cost some microseconds, which a batch need not pay each time. */
const LOOK_MS = 20;

/** Takes the database for this process: whoever had it before finds out with its next write. */
export function claimStore(sqlite: Database, path: string, owner: string): StoreClaim {
  sqlite.query("INSERT OR REPLACE INTO store_owner (one, id) VALUES (1, ?)").run(owner);
  return { path, owner, files: identitiesOf(path) };
}

/** Looks whether what is written is still kept, before it is. One for each connection. */
export class StoreGuard {
  #lookedAt = Number.NEGATIVE_INFINITY;
  readonly #owner;

  constructor(
    sqlite: Database,
    private readonly claim: StoreClaim,
  ) {
    this.#owner = sqlite.prepare<{ id: string }, []>("SELECT id FROM store_owner");
  }

  /** For use in the transaction that writes. @throws StoreLost */
  readonly check = (): void => {
    if (performance.now() - this.#lookedAt >= LOOK_MS) this.checkFiles();
    if (this.#owner.get()?.id === this.claim.owner) return;
    throw new StoreLost(
      `Another gateway has taken ${this.claim.path}: this one writes nothing more. Stop one of the two.`,
    );
  };

  /** @throws StoreLost */
  checkFiles(): void {
    const { path, files } = this.claim;
    const other = identitiesOf(path).findIndex((identity, index) => identity !== files[index]);
    if (other >= 0) {
      const name = path + SUFFIXES[other];
      throw new StoreLost(
        `${name} was deleted or replaced while the gateway was running. Stop the gateway, put a backup at ${path}, then start it again.`,
      );
    }
    this.#lookedAt = performance.now();
  }
}

function identitiesOf(path: string): string[] {
  return SUFFIXES.map((suffix) => {
    const file = statSync(path + suffix, { throwIfNoEntry: false });
    return file ? `${file.dev}:${file.ino}` : "none";
  });
}
