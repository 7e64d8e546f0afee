import type { PromptCase, PromptContent } from "@/lib/contract/operations/prompts";
import type { Transaction } from "../changes/transaction";
import type { PagedList } from "../lists/paged-list";

/** Who made something: a member, or a key, by the name it had then. */
export interface Author {
  readonly id: string;
  readonly name: string;
}

/** A prompt as it stands in a list. */
export interface PromptHead {
  readonly id: string;
  readonly projectId: string;
  readonly owner: Author;
  /** Null where this gateway's secret doesn't open it. */
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
  /** Null where this gateway's secret doesn't open it. */
  readonly content: PromptContent | null;
  readonly createdAtMs: number;
}

/** Prompts with their versions: names, cases and contents are sealed. */
export interface PromptStore {
  /** Those of a project that are shared, and the reader's own, newest first. */
  listed(projectId: string, readerId: string): PagedList<PromptHead>;
  /** Null where there is none in this project, or none that this gateway's secret opens. */
  find(projectId: string, id: string): Promise<PromptRecord | null>;
  countOf(ownerId: string): Promise<number>;
  /** Newest first. */
  versionsOf(promptId: string): PagedList<PromptVersionRecord>;
  findVersion(promptId: string, number: number): Promise<PromptVersionRecord | null>;
  insert(transaction: Transaction, prompt: PromptRecord): Promise<void>;
  /** Its name, cases, sharing and newest version. */
  update(transaction: Transaction, prompt: PromptRecord): Promise<void>;
  /** With its versions and runs. */
  delete(transaction: Transaction, id: string): Promise<void>;
  insertVersion(transaction: Transaction, version: PromptVersionRecord): Promise<void>;
}
