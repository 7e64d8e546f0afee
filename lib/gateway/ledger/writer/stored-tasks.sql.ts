import type { Database } from "bun:sqlite";
import type { HoldDraft, TaskDraft, TaskEnd } from "../funds";

/** Encrypts a task's order and callback address, bound to the task's id. */
export type SealTask = (text: string, taskId: string) => string;

/** The end of a task whose creator was refused although its hold was stored. */
const NEVER_BEGUN: TaskEnd = {
  status: "failed",
  error: { code: "store_unavailable", message: "The gateway refused this task before it began." },
  outputs: [],
};

/** The part of tasks that is written together with their holds: their beginning and their end. */
export class StoredTasks {
  readonly #statements;

  constructor(
    sqlite: Database,
    private readonly seal: SealTask = (text) => text,
  ) {
    this.#statements = {
      insert: sqlite.prepare(
        `INSERT INTO tasks (id, request_id, project_id, key_id, model, family, status, input, callback_url, created_at_ms,
           deadline_at_ms, due_at_ms, callback_receiver, settings, trace)
         VALUES (?, ?, ?, ?, ?, ?, 'queued', ?, ?, ?, ?, ?, ?, ?, ?)`,
      ),
      end: sqlite.prepare(
        `UPDATE tasks SET status = ?, ended_at_ms = ?, error = ?, outputs = ?, input = NULL, trace = NULL, due_at_ms = NULL,
           claimed_by = NULL, claimed_until_ms = NULL, progress = iif(?1 = 'succeeded', 100, progress)
         WHERE id = ? AND ended_at_ms IS NULL`,
      ),
      callBack: sqlite.prepare(
        `INSERT INTO task_callbacks (task_id, receiver, url, status, tries, due_at_ms)
         SELECT id, callback_receiver, callback_url, 'pending', 0, ended_at_ms FROM tasks
         WHERE id = ? AND callback_url IS NOT NULL`,
      ),
    };
  }

  insert(hold: HoldDraft, { id, family, input, settings, callbackUrl, receiptDetails }: TaskDraft): void {
    const { requestId, projectId, keyId, model, createdAtMs, deadlineAtMs } = hold;
    const sealedUrl = callbackUrl === null ? null : this.seal(callbackUrl, id);
    const whose = [id, requestId, projectId, keyId, model, family] as const;
    const times = [createdAtMs, deadlineAtMs, createdAtMs] as const;
    const receiver = callbackUrl === null ? null : new URL(callbackUrl).origin;
    const order = this.seal(input, id);
    this.#statements.insert.run(...whose, order, sealedUrl, ...times, receiver, settings, receiptDetails);
  }

  end(id: string, atMs: number, { status, error, outputs }: TaskEnd = NEVER_BEGUN): void {
    this.#statements.end.run(status, atMs, error && JSON.stringify(error), JSON.stringify(outputs), id);
    this.#statements.callBack.run(id);
  }
}
