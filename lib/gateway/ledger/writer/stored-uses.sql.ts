import type { Database, SQLQueryBindings } from "bun:sqlite";
import {
  carriedMeasures,
  limitWindows,
  type RateLimitRow,
  rateLimitRows,
} from "@/lib/contract/calls/rate-limit-table";
import { MINUTE_MS } from "@/lib/contract/durations";
import type { HoldDraft } from "../funds";
import { carriedColumns } from "../media-columns";

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

type LimitWindowRow = Pick<RateLimitRow, "counts" | "window">;

const columns = carriedMeasures.map((measure) => carriedColumns[measure]);

/** The images and audio of calls that limits still count, so that the limits on them hold over restarts. */
export class RecentMediaUsage {
  readonly #statements;
  readonly #keptMs: number;

  constructor(sqlite: Database, limits: readonly LimitWindowRow[] = rateLimitRows) {
    this.#keptMs = findKeptMs(limits);
    this.#statements = {
      note: sqlite.prepare<null, SQLQueryBindings[]>(
        `INSERT INTO carried_media (request_id, project_id, model, at_ms, ${columns.join(", ")})
         VALUES (?, ?, ?, ?${", ?".repeat(columns.length)})`,
      ),
      forgetOld: sqlite.prepare<null, [number]>("DELETE FROM carried_media WHERE at_ms < ?"),
      forget: sqlite.prepare<null, [string]>("DELETE FROM carried_media WHERE request_id = ?"),
    };
  }

  note({ requestId, projectId, model, createdAtMs, carried }: HoldDraft): void {
    if (!carried) return;
    this.#statements.forgetOld.run(createdAtMs - this.#keptMs);
    const amounts = carriedMeasures.map((measure) => carried[measure] ?? 0);
    this.#statements.note.run(requestId, projectId, model, createdAtMs, ...amounts);
  }

  /** Forgets a call or a task that costs nothing, as admissions in memory do (`release`, `releaseHeld`). */
  forget({ requestId, carried }: HoldDraft): void {
    if (carried) this.#statements.forget.run(requestId);
  }
}

/** The longest window of a limit on media, and a minute more, since windows are kept in slots. */
function findKeptMs(limits: readonly LimitWindowRow[]): number {
  const carried: readonly string[] = carriedMeasures;
  const windows = limits.filter(({ counts }) => carried.includes(counts));
  return Math.max(0, ...windows.map(({ window }) => limitWindows[window].ms)) + MINUTE_MS;
}
