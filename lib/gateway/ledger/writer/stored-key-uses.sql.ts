import type { Database } from "bun:sqlite";
import { MINUTE_MS } from "@/lib/contract/durations";

const USE_MS = MINUTE_MS;

/** When each key was last used, to the minute. */
export class StoredKeyUses {
  readonly #noted = new Map<string, number>();
  readonly #note;

  constructor(sqlite: Database) {
    this.#note = sqlite.prepare<null, [string, number]>(
      `INSERT INTO key_uses (key_id, last_used_at_ms) VALUES (?, ?)
       ON CONFLICT (key_id) DO UPDATE SET last_used_at_ms = max(last_used_at_ms, excluded.last_used_at_ms)`,
    );
  }

  note(keyId: string, atMs: number): void {
    if (atMs - (this.#noted.get(keyId) ?? Number.NEGATIVE_INFINITY) < USE_MS) return;
    this.#note.run(keyId, atMs);
    this.#noted.set(keyId, atMs);
  }

  /** Call it after a rollback. */
  forget(): void {
    this.#noted.clear();
  }
}
