import { type Kysely, sql } from "kysely";
import { MINUTE_MS } from "@/lib/contract/durations";
import type { Database } from "../../database/database";
import type { RefusedRequest } from "../funds";
import { RefusalSamples } from "../refusal-samples";

const FLUSH_MS = 500;
const MAX_WAITING = 5_000;

interface RefusalCount {
  readonly minute_ms: number;
  readonly project_id: string;
  readonly key_id: string;
  readonly model: string;
  readonly refused_by: string;
  refusals: number;
  estimated_tokens: number;
}

/**
 * What nothing waits for: when keys were last used, and the counts of refusals with samples of them. It is stored twice
 * a second at most, outside the ticks, and lost if the process dies before.
 */
export class PassingNotes {
  readonly #keyUses = new Map<string, number>();
  readonly #written = new Map<string, number>();
  readonly #counts = new Map<string, RefusalCount>();
  readonly #samples = new RefusalSamples();
  #refused: RefusedRequest[] = [];
  #timer: ReturnType<typeof setTimeout> | null = null;
  #writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly onFailure: (reason: string) => void,
  ) {}

  noteKeyUse(keyId: string, atMs: number): void {
    if (atMs - (this.#written.get(keyId) ?? Number.NEGATIVE_INFINITY) < MINUTE_MS) return;
    this.#written.set(keyId, atMs);
    this.#keyUses.set(keyId, atMs);
    this.#flushLater();
  }

  noteRefusal(request: RefusedRequest): void {
    const { atMs, projectId, keyId, model, refusedBy, estimatedTokens } = request;
    this.noteKeyUse(keyId, atMs);
    const minute_ms = Math.floor(atMs / MINUTE_MS) * MINUTE_MS;
    const name = `${minute_ms} ${projectId} ${keyId} ${model} ${refusedBy}`;
    const count = this.#counts.get(name);
    if (count) {
      count.refusals++;
      count.estimated_tokens += estimatedTokens;
    } else if (this.#counts.size < MAX_WAITING)
      this.#counts.set(name, {
        minute_ms,
        project_id: projectId,
        key_id: keyId,
        model,
        refused_by: refusedBy,
        refusals: 1,
        estimated_tokens: estimatedTokens,
      });
    if (this.#refused.length < MAX_WAITING && this.#samples.take(keyId, atMs)) this.#refused.push(request);
    this.#flushLater();
  }

  async close(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    await this.#writing;
    await this.#flush();
  }

  #flushLater(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#writing = this.#flush();
    }, FLUSH_MS).unref();
  }

  async #flush(): Promise<void> {
    if (this.#keyUses.size + this.#counts.size + this.#refused.length === 0) return;
    // In one order in all processes, so that none waits for another's row in a circle.
    const uses = [...this.#keyUses].toSorted(([one], [other]) => (one < other ? -1 : 1));
    const counts = [...this.#counts]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([, count]) => count);
    const refused = this.#refused;
    this.#keyUses.clear();
    this.#counts.clear();
    this.#refused = [];
    try {
      await this.database.transaction().execute(async (transaction) => {
        const queries = transaction as unknown as Kysely<never>;
        await sql`SET LOCAL synchronous_commit = off`.execute(queries);
        await sql`INSERT INTO key_uses (key_id, last_used_at_ms)
          SELECT key_id, at_ms FROM json_to_recordset(${JSON.stringify(
            uses.map(([key_id, at_ms]) => ({ key_id, at_ms })),
          )}) AS u(key_id text, at_ms bigint)
          ON CONFLICT (key_id) DO UPDATE
            SET last_used_at_ms = greatest(key_uses.last_used_at_ms, excluded.last_used_at_ms)`.execute(
          queries,
        );
        await sql`INSERT INTO refusal_counts (minute_ms, project_id, key_id, model, refused_by, refusals, estimated_tokens)
          SELECT * FROM json_to_recordset(${JSON.stringify(counts)}) AS c(minute_ms bigint, project_id text, key_id text,
            model text, refused_by text, refusals bigint, estimated_tokens bigint)
          ON CONFLICT (minute_ms, project_id, key_id, model, refused_by) DO UPDATE
            SET refusals = refusal_counts.refusals + excluded.refusals,
              estimated_tokens = refusal_counts.estimated_tokens + excluded.estimated_tokens`.execute(
          queries,
        );
        if (refused.length > 0)
          await transaction.insertInto("uncharged_calls").values(refused.map(toRow)).execute();
      });
    } catch (error) {
      this.onFailure(String(error));
    }
  }
}

function toRow(request: RefusedRequest) {
  return {
    id: request.requestId,
    at_ms: request.atMs,
    project_id: request.projectId,
    key_id: request.keyId,
    model: request.model,
    stream: request.stream ? 1 : 0,
    outcome: "refused" as const,
    status: request.status,
    refused_by: request.refusedBy,
    held: null,
    estimated_tokens: request.estimatedTokens,
    first_byte_ms: null,
    duration_ms: null,
    facts: JSON.stringify(request.facts) ?? null,
    provider: null,
    trace: request.receiptDetails ?? null,
    batch_id: request.batchId ?? null,
  };
}
