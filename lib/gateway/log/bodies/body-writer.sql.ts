import type { Database as Sqlite } from "bun:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import type { StoredBody } from "../stored-body";
import { isBusy } from "../sums/open-sums";
import { sealBody } from "./seal-body";

/** Bounds of one transaction, during which the ledger's writer waits: a few milliseconds. */
const MAX_BATCH = { rows: 100, characters: 2_000_000 };
const TRIES_AT_END = 40;
const REST_MS = 25;

interface SealedBody {
  readonly id: string;
  readonly projectId: string;
  readonly atMs: number;
  readonly metadata: string;
  readonly texts: string | null;
}

interface WriteOutcome {
  /** The calls whose bodies were stored. */
  readonly written: readonly string[];
  readonly lost: readonly string[];
  /** The error that lost them. */
  readonly fault: unknown;
  readonly isEmpty: boolean;
}

/** Encrypts bodies and writes them in batches. If another connection is writing, retries with the next call. */
export class BodyWriter {
  #waiting: SealedBody[] = [];

  constructor(
    private readonly sqlite: Sqlite,
    private readonly sealing: { key: Uint8Array; random(bytes: number): Uint8Array },
  ) {}

  add({ requestId: id, projectId, atMs, metadata, texts }: StoredBody): void {
    this.#waiting.push({
      id,
      projectId,
      atMs,
      metadata: sealBody(metadata, id, "metadata", this.sealing),
      texts: texts && sealBody(texts, id, "texts", this.sealing),
    });
  }

  /**
   * Writes as many queued bodies as the store accepts now. Bodies that the store refuses for any reason but being busy
   * are lost.
   */
  write(): WriteOutcome {
    const writtenIds: string[] = [];
    while (this.#waiting.length > 0) {
      const part = this.#next();
      const ids = part.map(({ id }) => id);
      try {
        this.#insert(part);
      } catch (fault) {
        if (isBusy(fault)) break;
        this.#waiting = this.#waiting.slice(part.length);
        return { written: writtenIds, lost: ids, fault, isEmpty: this.#waiting.length === 0 };
      }
      this.#waiting = this.#waiting.slice(part.length);
      writtenIds.push(...ids);
    }
    return { written: writtenIds, lost: [], fault: null, isEmpty: this.#waiting.length === 0 };
  }

  /** Tries for a second to write the queued bodies. */
  async end(): Promise<void> {
    for (let tries = 0; tries < TRIES_AT_END && !this.write().isEmpty; tries++) await sleep(REST_MS);
  }

  #next(): SealedBody[] {
    let characters = 0;
    const batchSize = this.#waiting.findIndex(({ metadata, texts }, index) => {
      characters += metadata.length + (texts?.length ?? 0);
      return index > 0 && (index >= MAX_BATCH.rows || characters > MAX_BATCH.characters);
    });
    return batchSize < 0 ? [...this.#waiting] : this.#waiting.slice(0, batchSize);
  }

  #insert(bodies: readonly SealedBody[]): void {
    const insert = this.sqlite.query(
      `INSERT INTO request_bodies (id, project_id, at_ms, sealed_metadata, sealed_texts) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO NOTHING`,
    );
    this.sqlite
      .transaction(() => {
        for (const { id, projectId, atMs, metadata, texts } of bodies)
          insert.run(id, projectId, atMs, metadata, texts);
      })
      .immediate();
  }
}
