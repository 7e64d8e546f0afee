import type { PromptResult } from "@/lib/contract/operations/playground/prompt-runs";
import type { PromptCase } from "@/lib/contract/operations/playground/prompts";
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
  /** The prompt's cases when the run began. */
  readonly cases: readonly PromptCase[];
}

/** Runs of prompts, and their results: cases and results are sealed. */
export interface PromptRunStore {
  /** Newest first. */
  pages(promptId: string): PagedList<PromptRunHead>;
  /** Null if the prompt has no such run, or if this gateway's secret can't decrypt it. */
  find(promptId: string, id: string): Promise<PromptRunRecord | null>;
  /** Sorted by version, case and model. */
  listResults(id: string): Promise<readonly PromptResult[]>;
  insert(transaction: Transaction, run: PromptRunRecord): Promise<void>;
  saveResult(transaction: Transaction, id: string, result: PromptResult): Promise<void>;
  /** Deletes all of a prompt's runs except the `max` newest. */
  keepNewest(transaction: Transaction, promptId: string, max: number): Promise<void>;
}
