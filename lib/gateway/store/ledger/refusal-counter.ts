import type { Database } from "bun:sqlite";
import { firstIdOf } from "@/lib/contract/ids";
import type { RefusedRequest } from "../../balance/funds";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Refusals of one key that are kept whole in the request log: the first of each minute, up to so many in a day (UTC). */
const SAMPLES_A_MINUTE = 10;
const SAMPLES_A_DAY = 1_000;

interface Count {
  readonly of: RefusedRequest;
  readonly minuteMs: number;
  refusals: number;
  estimatedTokens: number;
}

interface Samples {
  minute: number;
  inMinute: number;
  inDay: number;
}

/**
 * Counts refusals by minute, project, key, model and reason, and says which are kept whole, so that a key that never
 * stops asking takes kilobytes a day. One batch of the ledger writer at a time: `write` before its commit.
 */
export class RefusalCounter {
  readonly #counts = new Map<string, Count>();
  readonly #samples = new Map<string, Samples>();
  #day = -1;
  readonly #upsert;
  readonly #keptSince;

  constructor(sqlite: Database) {
    this.#upsert = sqlite.prepare<null, [number, string, string, string, string, number, number]>(
      `INSERT INTO refusal_counts (minute_ms, project_id, key_id, model, refused_by, refusals, estimated_tokens)
       VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE
       SET refusals = refusals + excluded.refusals, estimated_tokens = estimated_tokens + excluded.estimated_tokens`,
    );
    this.#keptSince = sqlite.prepare<{ key_id: string; kept: bigint }, [string]>(
      "SELECT key_id, count(*) AS kept FROM uncharged_calls WHERE id >= ? AND outcome = 'refused' GROUP BY key_id",
    );
  }

  /** @returns whether this one is kept whole. */
  add(refused: RefusedRequest): boolean {
    const { atMs, projectId, keyId, model, refusedBy, estimatedTokens } = refused;
    const minute = Math.floor(atMs / MINUTE_MS);
    const name = `${minute} ${projectId} ${keyId} ${refusedBy} ${model}`;
    const count = this.#counts.get(name);
    if (count) {
      count.refusals++;
      count.estimatedTokens += estimatedTokens;
    } else
      this.#counts.set(name, { of: refused, minuteMs: minute * MINUTE_MS, refusals: 1, estimatedTokens });
    return this.#isSample(keyId, minute, Math.floor(atMs / DAY_MS));
  }

  /** Adds what was counted to the store. */
  write(): void {
    for (const { of, minuteMs, refusals, estimatedTokens } of this.#counts.values()) {
      const { projectId, keyId, model, refusedBy } = of;
      this.#upsert.run(minuteMs, projectId, keyId, model, refusedBy, refusals, estimatedTokens);
    }
    this.#counts.clear();
  }

  /** The batch was rolled back: forgets what it counted. */
  forget(): void {
    this.#counts.clear();
    this.#day = -1;
  }

  #isSample(keyId: string, minute: number, day: number): boolean {
    if (day !== this.#day) this.#begin(day);
    const samples = this.#samples.get(keyId) ?? { minute, inMinute: 0, inDay: 0 };
    if (samples.minute !== minute) Object.assign(samples, { minute, inMinute: 0 });
    if (samples.inMinute >= SAMPLES_A_MINUTE || samples.inDay >= SAMPLES_A_DAY) return false;
    samples.inMinute++;
    samples.inDay++;
    this.#samples.set(keyId, samples);
    return true;
  }

  /** What an earlier process has kept of the day counts: nobody gets more by having the gateway restarted. */
  #begin(day: number): void {
    this.#day = day;
    this.#samples.clear();
    for (const { key_id, kept } of this.#keptSince.all(firstIdOf("req", Math.max(0, day * DAY_MS)))) {
      this.#samples.set(key_id, { minute: -1, inMinute: 0, inDay: Number(kept) });
    }
  }
}
