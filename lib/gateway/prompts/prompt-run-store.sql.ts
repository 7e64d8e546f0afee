import type { PromptResult } from "@/lib/contract/operations/playground/prompt-runs";
import type { PromptCase } from "@/lib/contract/operations/playground/prompts";
import { type Transaction, within } from "../changes/transactions.sql";
import type { Reads } from "../database/database";
import { listById } from "../database/list-pages";
import { type Sealing, seal, unsealOrNull } from "../database/seal";
import type { PagedList } from "../lists/paged-list";
import { Secret } from "../secrets/secret";
import type { PromptTables } from "./prompt-schema";
import type { Author } from "./prompt-store.sql";

export interface PromptRunHead {
  readonly id: string;
  readonly promptId: string;
  readonly author: Author;
  readonly versions: readonly number[];
  readonly models: readonly string[];
  readonly createdAtMs: number;
}

export interface PromptRunRecord extends PromptRunHead {
  /** The prompt's cases when the run began. */
  readonly cases: readonly PromptCase[];
}

const heads = ["id", "prompt_id", "author_id", "author_name", "versions", "models", "created_at_ms"] as const;

/** Runs of prompts, and their results: cases and results are sealed. */
export type PromptRunStore = ReturnType<typeof createPromptRunStore>;

export function createPromptRunStore(reads: Reads, sealing: Sealing) {
  return { ...createReads(reads, sealing.key), ...createWrites(sealing) };
}

function createReads(reads: Reads, key: Uint8Array) {
  return {
    /** Newest first. */
    pages(promptId: string): PagedList<PromptRunHead> {
      const runs = reads.selectFrom("prompt_runs").select(heads).where("prompt_id", "=", promptId);
      return listById(runs, { id: "id", defaultOrder: "desc" }, toHead);
    },
    /** Null if the prompt has no such run, or if this gateway's secret can't decrypt it. */
    async find(promptId: string, id: string): Promise<PromptRunRecord | null> {
      const row = await reads
        .selectFrom("prompt_runs")
        .selectAll()
        .where("id", "=", id)
        .where("prompt_id", "=", promptId)
        .executeTakeFirst();
      const cases = row ? unsealOrNull(row.sealed_cases, nameCases(id), key) : null;
      return row && cases !== null ? { ...toHead(row), cases: JSON.parse(cases) as PromptCase[] } : null;
    },
    /** Sorted by version, case and model. */
    async listResults(id: string): Promise<readonly PromptResult[]> {
      const rows = await reads
        .selectFrom("prompt_results")
        .selectAll()
        .where("run_id", "=", id)
        .orderBy("version")
        .orderBy("case_number")
        .orderBy("model")
        .execute();
      return rows.flatMap((row) => {
        const result = unsealOrNull(row.sealed_result, nameResult(row), key);
        return result === null ? [] : [JSON.parse(result) as PromptResult];
      });
    },
  };
}

function createWrites(sealing: Sealing) {
  return {
    async insert(
      transaction: Transaction,
      { id, promptId, author, versions, models, cases, createdAtMs }: PromptRunRecord,
    ): Promise<void> {
      await within(transaction)
        .insertInto("prompt_runs")
        .values({
          id,
          prompt_id: promptId,
          author_id: author.id,
          author_name: author.name,
          versions: JSON.stringify(versions),
          models: JSON.stringify(models),
          sealed_cases: seal(new Secret(JSON.stringify(cases)), nameCases(id), sealing),
          created_at_ms: createdAtMs,
        })
        .execute();
    },
    async saveResult(transaction: Transaction, id: string, result: PromptResult): Promise<void> {
      const resultColumns = {
        run_id: id,
        version: result.prompt_version,
        case_number: result.case,
        model: result.model,
      };
      const sealed_result = seal(new Secret(JSON.stringify(result)), nameResult(resultColumns), sealing);
      await within(transaction)
        .insertInto("prompt_results")
        .values({ ...resultColumns, sealed_result })
        .onConflict((conflict) =>
          conflict.columns(["run_id", "version", "case_number", "model"]).doUpdateSet({ sealed_result }),
        )
        .execute();
    },
    /** Deletes all of a prompt's runs except the `max` newest. */
    async keepNewest(transaction: Transaction, promptId: string, max: number): Promise<void> {
      const queries = within(transaction);
      const newest = queries
        .selectFrom("prompt_runs")
        .select("id")
        .where("prompt_id", "=", promptId)
        .orderBy("id", "desc")
        .limit(max);
      await queries
        .deleteFrom("prompt_runs")
        .where("prompt_id", "=", promptId)
        .where("id", "not in", newest)
        .execute();
    },
  };
}

type HeadRow = Pick<PromptTables["prompt_runs"], (typeof heads)[number]>;
type ResultPlace = Omit<PromptTables["prompt_results"], "sealed_result">;

function toHead(row: HeadRow): PromptRunHead {
  return {
    id: row.id,
    promptId: row.prompt_id,
    author: { id: row.author_id, name: row.author_name },
    versions: JSON.parse(row.versions) as number[],
    models: JSON.parse(row.models) as string[],
    createdAtMs: row.created_at_ms,
  };
}

function nameCases(id: string): string {
  return `prompt run cases ${id}`;
}

function nameResult({ run_id, version, case_number, model }: ResultPlace): string {
  return `prompt result ${run_id} ${version} ${case_number} ${model}`;
}
