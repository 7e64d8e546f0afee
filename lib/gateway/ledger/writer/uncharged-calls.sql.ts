import type { Database } from "bun:sqlite";
import type { CallEnd, HoldDraft, RefusedRequest } from "../funds";

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
