import { setImmediate } from "node:timers/promises";
import { sql } from "kysely";
import { toNano } from "@/lib/money/amount";
import type { Reads } from "../../database/database";
import type { StatementLine } from "./statement";

/** Entries summed before other questions are answered: some hundredths of a second. */
const BATCH_SIZE = 50_000;
/** Entries summed at a time in advance, while nobody waits for them: a few milliseconds. */
const AHEAD_BATCH_SIZE = 2_000;
/** The maximum number of months whose sums are cached. */
const MAX_CACHED_MONTHS = 24;

type Sum = Omit<StatementLine, "projectName">;
type Sums = ReadonlyMap<string, Sum>;

/** Sums charges by project and model. Entries never change, so sums are cached, and later only new entries are read. */
export class LineSums {
  /** Keyed by `afterSeq`: the number of the last summed entry, and the sums. */
  readonly #known = new Map<number, { readonly until: number; readonly sums: Sums }>();

  constructor(
    private readonly reads: Reads,
    private readonly batchSize = BATCH_SIZE,
  ) {}

  /** Returns the sums of charges with numbers above `afterSeq`, up to `lastSeq`, sorted by project and model. */
  async sum(afterSeq: number, lastSeq: number): Promise<readonly Sum[]> {
    const cached = this.#known.get(afterSeq);
    const isOlder = cached !== undefined && cached.until <= lastSeq;
    const sums = new Map(isOlder ? cached.sums : []);
    for (let from = isOlder ? cached.until : afterSeq; from < lastSeq; await setImmediate()) {
      const until = Math.min(from + this.batchSize, lastSeq);
      for (const part of await this.#read(from, until)) add(sums, part);
      from = until;
    }
    this.#remember(afterSeq, lastSeq, sums);
    return [...sums].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, sum]) => sum);
  }

  /** Sums the month's next entries in advance. @returns whether there are more. */
  async prepare(afterSeq: number, lastSeq: number): Promise<boolean> {
    const cached = this.#known.get(afterSeq);
    const from = cached?.until ?? afterSeq;
    const until = Math.min(from + Math.min(AHEAD_BATCH_SIZE, this.batchSize), lastSeq);
    if (from >= until) return false;
    const sums = new Map(cached?.sums ?? []);
    for (const part of await this.#read(from, until)) add(sums, part);
    this.#remember(afterSeq, until, sums);
    return until < lastSeq;
  }

  #remember(afterSeq: number, until: number, sums: Sums): void {
    const cached = this.#known.get(afterSeq);
    if (cached && cached.until >= until) return;
    this.#known.delete(afterSeq);
    this.#known.set(afterSeq, { until, sums });
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_CACHED_MONTHS && oldest !== undefined) this.#known.delete(oldest);
  }

  async #read(from: number, until: number): Promise<Sum[]> {
    const rows = await this.reads
      .selectFrom("ledger_entries")
      .select((entry) => [
        sql<string>`project_id`.as("project_id"),
        sql<string>`model`.as("model"),
        entry.fn.countAll<number>().as("calls"),
        entry.fn.sum<number>("prompt_tokens").as("prompt_tokens"),
        entry.fn.sum<number>("completion_tokens").as("completion_tokens"),
        sql<string>`cast(sum(amount) AS text)`.as("amount"),
      ])
      .where("seq", ">", from)
      .where("seq", "<=", until)
      // The empty text avoids the index of the uncommon kinds, since nearly all entries are charges.
      .where(sql<boolean>`kind || '' = 'charge'`)
      .groupBy(["project_id", "model"])
      .execute();
    return rows.map(({ project_id, model, calls, prompt_tokens, completion_tokens, amount }) => ({
      projectId: project_id,
      model,
      calls,
      promptTokens: prompt_tokens,
      completionTokens: completion_tokens,
      charges: toNano(BigInt(amount)),
    }));
  }
}

function add(sums: Map<string, Sum>, part: Sum): void {
  const key = JSON.stringify([part.projectId, part.model]);
  const sum = sums.get(key);
  const joined = sum && {
    ...part,
    calls: sum.calls + part.calls,
    promptTokens: sum.promptTokens + part.promptTokens,
    completionTokens: sum.completionTokens + part.completionTokens,
    charges: toNano(sum.charges + part.charges),
  };
  sums.set(key, joined ?? part);
}
