import type { Database } from "bun:sqlite";
import { MINUTE_MS } from "@/lib/contract/durations";
import { firstIdAt } from "@/lib/contract/ids";
import type { CallEnd, HoldDraft, RefusedRequest } from "../funds";
import { RefusalSamples } from "../refusal-samples";

/** The log of calls that cost nothing. */
export class UnchargedCalls {
  readonly #log;

  constructor(sqlite: Database) {
    this.#log = sqlite.prepare(
      `INSERT INTO uncharged_calls (id, at_ms, project_id, key_id, model, stream, outcome, status, refused_by, held,
         estimated_tokens, first_byte_ms, duration_ms, facts, provider, trace, batch_id) VALUES (?${", ?".repeat(16)})`,
    );
  }

  /** A call whose whole hold was released. */
  insertReleased(hold: HoldDraft, end: CallEnd): void {
    const { requestId, createdAtMs, projectId, keyId, model, amount, batchId = null } = hold;
    const { stream, outcome, status, estimatedTokens, firstByteMs, durationMs, provider, receiptDetails } =
      end;
    const call = [requestId, createdAtMs, projectId, keyId, model, Number(stream), outcome, status] as const;
    const figures = [null, amount, estimatedTokens, firstByteMs, durationMs] as const;
    this.#log.run(...call, ...figures, null, provider, receiptDetails, batchId);
  }

  /** A call that was refused before a hold was placed. */
  insertRefused(request: RefusedRequest): void {
    const { requestId, atMs, projectId, keyId, model, stream, status, refusedBy, estimatedTokens } = request;
    const call = [requestId, atMs, projectId, keyId, model, Number(stream), "refused", status] as const;
    const facts = JSON.stringify(request.facts) ?? null;
    const figures = [refusedBy, null, estimatedTokens, null, null] as const;
    this.#log.run(...call, ...figures, facts, null, request.receiptDetails ?? null, request.batchId ?? null);
  }
}

interface Count {
  readonly request: RefusedRequest;
  readonly minuteMs: number;
  refusals: number;
  estimatedTokens: number;
}

/**
 * Counts refusals by minute, project, key, model and reason, and decides which are stored in full, so that a key that
 * keeps asking takes kilobytes a day. Used for one batch at a time: call `write` before its commit.
 */
export class RefusalCounter {
  readonly #counts = new Map<string, Count>();
  readonly #samples: RefusalSamples;
  readonly #upsert;

  constructor(sqlite: Database) {
    this.#upsert = sqlite.prepare<null, [number, string, string, string, string, number, number]>(
      `INSERT INTO refusal_counts (minute_ms, project_id, key_id, model, refused_by, refusals, estimated_tokens)
       VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE
       SET refusals = refusals + excluded.refusals, estimated_tokens = estimated_tokens + excluded.estimated_tokens`,
    );
    const keptSince = sqlite.prepare<{ key_id: string; kept: bigint }, [string]>(
      "SELECT key_id, count(*) AS kept FROM uncharged_calls WHERE id >= ? AND outcome = 'refused' GROUP BY key_id",
    );
    this.#samples = new RefusalSamples((fromMs) =>
      keptSince.all(firstIdAt("req", fromMs)).map(({ key_id, kept }) => [key_id, Number(kept)] as const),
    );
  }

  /** @returns whether this refusal is stored in full. */
  add(request: RefusedRequest): boolean {
    const { atMs, projectId, keyId, model, refusedBy, estimatedTokens } = request;
    const minute = Math.floor(atMs / MINUTE_MS);
    const name = `${minute} ${projectId} ${keyId} ${refusedBy} ${model}`;
    const count = this.#counts.get(name);
    if (count) {
      count.refusals++;
      count.estimatedTokens += estimatedTokens;
    } else
      this.#counts.set(name, {
        request,
        minuteMs: minute * MINUTE_MS,
        refusals: 1,
        estimatedTokens,
      });
    return this.#samples.take(keyId, atMs);
  }

  /** Writes the counts to the store. */
  write(): void {
    for (const { request: of, minuteMs, refusals, estimatedTokens } of this.#counts.values()) {
      const { projectId, keyId, model, refusedBy } = of;
      this.#upsert.run(minuteMs, projectId, keyId, model, refusedBy, refusals, estimatedTokens);
    }
    this.#counts.clear();
  }

  /** Discards the counts after a rollback. */
  forget(): void {
    this.#counts.clear();
    this.#samples.forget();
  }
}
