import type { PromptCase, PromptContent } from "@/lib/contract/operations/playground/prompts";
import type { Transaction } from "../changes/transaction";
import type { PagedList } from "../lists/paged-list";

/** The member or key that created something, with its name at that time. */
export interface Author {
  readonly id: string;
  readonly name: string;
}

/** A prompt as listed. */
export interface PromptHead {
  readonly id: string;
  readonly projectId: string;
  readonly owner: Author;
  /** Null if this gateway's secret can't decrypt it. */
  readonly name: string | null;
  readonly isShared: boolean;
  readonly latestVersion: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

export interface PromptRecord extends PromptHead {
  readonly name: string;
  readonly cases: readonly PromptCase[];
}

export interface PromptVersionRecord {
  readonly id: string;
  readonly promptId: string;
  readonly number: number;
  readonly author: Author;
  /** Null if this gateway's secret can't decrypt it. */
  readonly content: PromptContent | null;
  readonly createdAtMs: number;
}

/** Prompts and their versions. Names, cases and contents are stored encrypted. */
export interface PromptStore {
  /** The shared prompts of projects and the reader's own, newest first. */
  pages(projectIds: readonly string[], readerId: string): PagedList<PromptHead>;
  /** Null if the project has no such prompt, or if this gateway's secret can't decrypt it. */
  find(projectId: string, id: string): Promise<PromptRecord | null>;
  countOwned(ownerId: string): Promise<number>;
  /** The bytes that a person's prompts take with their versions, runs and results. */
  sumOwnedBytes(ownerId: string): Promise<number>;
  /** Newest first. */
  versionPages(promptId: string): PagedList<PromptVersionRecord>;
  findVersion(promptId: string, number: number): Promise<PromptVersionRecord | null>;
  insert(transaction: Transaction, prompt: PromptRecord): Promise<void>;
  /** Stores its name, cases, sharing and newest version number. */
  update(transaction: Transaction, prompt: PromptRecord): Promise<void>;
  /** Deletes its versions and runs, too. */
  delete(transaction: Transaction, id: string): Promise<void>;
  insertVersion(transaction: Transaction, version: PromptVersionRecord): Promise<void>;
}
