import type { Database } from "bun:sqlite";
import { statSync } from "node:fs";

/** Writing is no longer allowed: the database files were replaced, or another process has claimed the store. */
export class StoreLost extends Error {}

/** Identifies a connection's own files. Plain data, since it is sent to the writer thread. */
export interface StoreClaim {
  readonly path: string;
  /** The value of `store_owner` while this process may write. */
  readonly owner: string;
  /** The identities of the database, its log and its index, in the order of `SUFFIXES`. */
  readonly files: readonly string[];
}

const SUFFIXES = ["", "-wal", "-shm"];
/**
 * How long a check of the files is valid. Checking three files takes a few microseconds, which not every batch needs to
 * spend.
 */
const POLL_MS = 20;

/** Claims the database for this process. The previous owner notices at its next write. */
export function claimStore(sqlite: Database, path: string, owner: string): StoreClaim {
  sqlite.query("INSERT OR REPLACE INTO store_owner (one, id) VALUES (1, ?)").run(owner);
  return { path, owner, files: listIdentities(path) };
}

/** Checks before a write that its files and its claim are still valid. One per connection. */
export class StoreGuard {
  #lookedAt = Number.NEGATIVE_INFINITY;
  readonly #owner;

  constructor(
    sqlite: Database,
    private readonly claim: StoreClaim,
  ) {
    this.#owner = sqlite.prepare<{ id: string }, []>("SELECT id FROM store_owner");
  }

  /** Call it in the transaction that writes. @throws StoreLost */
  readonly check = (): void => {
    if (performance.now() - this.#lookedAt >= POLL_MS) this.checkFiles();
    if (this.#owner.get()?.id === this.claim.owner) return;
    throw new StoreLost(
      `Another gateway has taken ${this.claim.path}: this one writes nothing more. Stop one of the two.`,
    );
  };

  /** @throws StoreLost */
  checkFiles(): void {
    const { path, files } = this.claim;
    const changedIndex = listIdentities(path).findIndex((identity, index) => identity !== files[index]);
    if (changedIndex >= 0) {
      const name = path + SUFFIXES[changedIndex];
      throw new StoreLost(
        `${name} was deleted or replaced while the gateway was running. Stop the gateway, put a backup at ${path}, then start it again.`,
      );
    }
    this.#lookedAt = performance.now();
  }
}

function listIdentities(path: string): string[] {
  return SUFFIXES.map((suffix) => {
    const file = statSync(path + suffix, { throwIfNoEntry: false });
    return file ? `${file.dev}:${file.ino}` : "none";
  });
}
