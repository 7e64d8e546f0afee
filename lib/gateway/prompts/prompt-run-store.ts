import type { PromptResult } from "@/lib/contract/operations/prompt-runs";
import type { PromptCase } from "@/lib/contract/operations/prompts";
import type { Transaction } from "../changes/transaction";
import type { PagedList } from "../lists/paged-list";
import type { Author } from "./prompt-store";

export interface PromptRunHead {
  readonly id: string;
  readonly promptId: string;
  readonly author: Author;
  readonly versions: readonly number[];
  readonly models: readonly string[];
  readonly createdAtMs: number;
}

export interface PromptRunRecord extends PromptRunHead {
  /** Those of the prompt when it began. */
  readonly cases: readonly PromptCase[];
}

/** Runs of prompts, and their results: cases and results are sealed. */
export interface PromptRunStore {
  /** Newest first. */
  listed(promptId: string): PagedList<PromptRunHead>;
  /** Null where there is none of this prompt, or none that this gateway's secret opens. */
  find(promptId: string, id: string): Promise<PromptRunRecord | null>;
  /** In the order of versions, cases and models' names. */
  resultsOf(id: string): Promise<readonly PromptResult[]>;
  insert(transaction: Transaction, run: PromptRunRecord): Promise<void>;
  saveResult(transaction: Transaction, id: string, result: PromptResult): Promise<void>;
  /** Deletes all of a prompt's but the `most` newest. */
  keepNewest(transaction: Transaction, promptId: string, most: number): Promise<void>;
}
