import type { Database } from "bun:sqlite";
import { MINUTE_MS } from "@/lib/contract/durations";
import type { HoldDraft } from "../../balance/funds";

/** Limits look back at a minute; the other one is for windows that are kept in slots. */
const KEPT_MS = 2 * MINUTE_MS;

/** The images and audio of the calls of the last minutes, so that the limits on them hold over restarts. */
export class RecentMediaUsage {
  readonly #statements;

  constructor(sqlite: Database) {
    this.#statements = {
      note: sqlite.prepare(
        "INSERT INTO carried_media (request_id, project_id, model, at_ms, images, audio_megabytes) VALUES (?, ?, ?, ?, ?, ?)",
      ),
      forgetOld: sqlite.prepare<null, [number]>("DELETE FROM carried_media WHERE at_ms < ?"),
      forget: sqlite.prepare<null, [string]>("DELETE FROM carried_media WHERE request_id = ?"),
    };
  }

  note({ requestId, projectId, model, createdAtMs, carried }: HoldDraft): void {
    if (!carried) return;
    this.#statements.forgetOld.run(createdAtMs - KEPT_MS);
    const { images = 0, audioMegabytes = 0 } = carried;
    this.#statements.note.run(requestId, projectId, model, createdAtMs, images, audioMegabytes);
  }

  /** Of a call that reached no provider, which counts in no limit. A task counts from its creation on. */
  forget({ requestId, carried, taskId }: HoldDraft): void {
    if (carried && !taskId) this.#statements.forget.run(requestId);
  }
}
