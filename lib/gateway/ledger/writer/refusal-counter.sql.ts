import type { Database } from "bun:sqlite";
import { MINUTE_MS } from "@/lib/contract/durations";
import { firstIdAt } from "@/lib/contract/ids";
import type { RefusedRequest } from "../funds";
import { RefusalSamples } from "../refusal-samples";

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
