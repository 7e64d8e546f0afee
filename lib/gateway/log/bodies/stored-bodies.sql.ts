import { setTimeout as sleep } from "node:timers/promises";
import { noteAction, type Transaction } from "../../changes/transactions.sql";
import type { Database, Reads } from "../../database/database";
import { seal, unsealOrNull } from "../../database/seal";
import { Secret } from "../../secrets/secret";
import { isBusy } from "../sums/claim-sums.sql";
import type { StoredBody, StoredTexts } from "./stored-body";

/** The separately sealed parts of a body. */
type Part = "metadata" | "texts";

/** Seals a part of a call's body, so that it opens only as that part of that call. */
function sealBody(
  value: object,
  requestId: string,
  part: Part,
  sealing: { key: Uint8Array; random(bytes: number): Uint8Array },
): string {
  return seal(new Secret(JSON.stringify(value)), describeSealedPart(requestId, part), sealing);
}

/** Null if it was encrypted with another secret. */
function unsealBody<Value>(sealed: string, requestId: string, part: Part, key: Uint8Array): Value | null {
  const text = unsealOrNull(sealed, describeSealedPart(requestId, part), key);
  return text === null ? null : (JSON.parse(text) as Value);
}

function describeSealedPart(requestId: string, part: Part): string {
  return `body ${part} ${requestId}`;
}

export type StoredBodyReader = ReturnType<typeof createStoredBodyReader>;

/** Reads stored bodies, with the gateway's secret. */
export function createStoredBodyReader(reads: Reads, key: Uint8Array) {
  return {
    /**
     * The metadata, and whether texts are stored. Null where nothing is stored, or where it was sealed with another
     * secret.
     */
    async findMetadata(
      requestId: string,
    ): Promise<(Pick<StoredBody, "metadata"> & { readonly isWhole: boolean }) | null> {
      const row = await reads
        .selectFrom("request_bodies")
        .select(({ eb }) => ["sealed_metadata", eb("sealed_texts", "is not", null).as("is_whole")])
        .where("id", "=", requestId)
        .executeTakeFirst();
      if (!row) return null;
      const metadata = unsealBody<StoredBody["metadata"]>(row.sealed_metadata, requestId, "metadata", key);
      return metadata && { metadata, isWhole: Boolean(row.is_whole) };
    },
    /** Null where no texts are stored, or where they were sealed with another secret. */
    async findTexts(requestId: string): Promise<StoredTexts | null> {
      const row = await reads
        .selectFrom("request_bodies")
        .select("sealed_texts")
        .where("id", "=", requestId)
        .executeTakeFirst();
      const sealedTexts = row?.sealed_texts ?? null;
      return sealedTexts === null ? null : unsealBody<StoredTexts>(sealedTexts, requestId, "texts", key);
    },
    /** Records in the audit log that somebody reads the texts of a call. */
    async noteReading(
      transaction: Transaction,
      { requestId: id, projectId: project_id }: { readonly requestId: string; readonly projectId: string },
    ): Promise<void> {
      await noteAction(transaction, { object: "requests", id, project_id });
    },
  };
}

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
    private readonly queries: Database,
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
  async write(): Promise<WriteOutcome> {
    const writtenIds: string[] = [];
    while (this.#waiting.length > 0) {
      const part = this.#next();
      const ids = part.map(({ id }) => id);
      try {
        await this.#insert(part);
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
    for (let tries = 0; tries < TRIES_AT_END && !(await this.write()).isEmpty; tries++) await sleep(REST_MS);
  }

  #next(): SealedBody[] {
    let characters = 0;
    const batchSize = this.#waiting.findIndex(({ metadata, texts }, index) => {
      characters += metadata.length + (texts?.length ?? 0);
      return index > 0 && (index >= MAX_BATCH.rows || characters > MAX_BATCH.characters);
    });
    return batchSize < 0 ? [...this.#waiting] : this.#waiting.slice(0, batchSize);
  }

  async #insert(bodies: readonly SealedBody[]): Promise<void> {
    const rows = bodies.map(({ id, projectId, atMs, metadata, texts }) => ({
      id,
      project_id: projectId,
      at_ms: atMs,
      sealed_metadata: metadata,
      sealed_texts: texts,
    }));
    await this.queries
      .insertInto("request_bodies")
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}
