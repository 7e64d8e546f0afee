import { sql } from "kysely";
import type { PromptCase, PromptContent } from "@/lib/contract/operations/playground/prompts";
import { type Transaction, within } from "../changes/transactions.sql";
import type { Reads } from "../database/database";
import { listById } from "../database/list-pages";
import { type Sealing, seal, unsealOrNull } from "../database/seal";
import { mergeById, type PagedList } from "../lists/paged-list";
import { Secret } from "../secrets/secret";
import type { PromptTables } from "./prompt-schema";

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

const heads = [
  "id",
  "project_id",
  "owner_id",
  "owner_name",
  "sealed_name",
  "is_shared",
  "latest_version",
  "created_at_ms",
  "updated_at_ms",
] as const;

const newestFirst = { id: "id", defaultOrder: "desc" } as const;

/** Contents are whole in a list, so a page of large ones has fewer of them. */
const MAX_PAGE_BYTES = 8_000_000;

/** Prompts and their versions. Names, cases and contents are stored encrypted. */
export type PromptStore = ReturnType<typeof createPromptStore>;

export function createPromptStore(reads: Reads, sealing: Sealing) {
  return {
    ...createReads(reads, sealing.key),
    ...createVersionReads(reads, sealing.key),
    ...createWrites(sealing),
  };
}

function createReads(reads: Reads, key: Uint8Array) {
  const selectByProjects = (projectIds: readonly string[], isShared: 0 | 1) =>
    reads
      .selectFrom("prompts")
      .select(heads)
      .where("is_shared", "=", isShared)
      .where("project_id", "in", [...projectIds]);
  return {
    /** The shared prompts of projects and the reader's own, newest first. */
    pages(projectIds: readonly string[], readerId: string): PagedList<PromptHead> {
      const toItem = (row: HeadRow) => toHead(row, key);
      const ownPrompts = selectByProjects(projectIds, 0).where("owner_id", "=", readerId);
      return mergeById(
        listById(selectByProjects(projectIds, 1), newestFirst, toItem),
        listById(ownPrompts, newestFirst, toItem),
        "desc",
      );
    },
    /** Null if the project has no such prompt, or if this gateway's secret can't decrypt it. */
    async find(projectId: string, id: string): Promise<PromptRecord | null> {
      const row = await reads
        .selectFrom("prompts")
        .selectAll()
        .where("id", "=", id)
        .where("project_id", "=", projectId)
        .executeTakeFirst();
      if (!row) return null;
      const { name, ...head } = toHead(row, key);
      const cases = unsealOrNull(row.sealed_cases, describeSealedPart(id, "cases"), key);
      if (name === null || cases === null) return null;
      return { ...head, name, cases: JSON.parse(cases) as PromptCase[] };
    },
    async countOwned(ownerId: string): Promise<number> {
      const { count } = await reads
        .selectFrom("prompts")
        .select((from) => from.fn.countAll<number>().as("count"))
        .where("owner_id", "=", ownerId)
        .executeTakeFirstOrThrow();
      return Number(count);
    },
    /** The bytes that a person's prompts take with their versions, runs and results. */
    async sumOwnedBytes(ownerId: string): Promise<number> {
      const { bytes } = await reads
        .selectFrom("prompt_sizes")
        .select((from) => from.fn.sum<number | null>("bytes").as("bytes"))
        .where("owner_id", "=", ownerId)
        .executeTakeFirstOrThrow();
      return Number(bytes ?? 0);
    },
  };
}

function createVersionReads(reads: Reads, key: Uint8Array) {
  const versions = (promptId: string) =>
    reads.selectFrom("prompt_versions").selectAll().where("prompt_id", "=", promptId);
  return {
    /** Newest first. */
    versionPages(promptId: string): PagedList<PromptVersionRecord> {
      const sizes = reads
        .selectFrom("prompt_versions")
        .select(["id", sql<number>`octet_length(sealed_content)`.as("bytes")])
        .where("prompt_id", "=", promptId);
      return {
        ...listById(versions(promptId), newestFirst, (row) => toVersion(row, key)),
        async countFitting(page) {
          const sizesByVersion = await listById(sizes, newestFirst, (row) => row).read(page);
          // A page before an item ends at it.
          const isBackwards = page.before !== undefined && page.after === undefined;
          return countWithin(MAX_PAGE_BYTES, isBackwards ? sizesByVersion.toReversed() : sizesByVersion);
        },
      };
    },
    async findVersion(promptId: string, number: number): Promise<PromptVersionRecord | null> {
      const row = await versions(promptId).where("number", "=", number).executeTakeFirst();
      return row ? toVersion(row, key) : null;
    },
  };
}

function createWrites(sealing: Sealing) {
  const sealName = ({ id, name }: PromptRecord) =>
    seal(new Secret(name), describeSealedPart(id, "name"), sealing);
  const sealCases = ({ id, cases }: PromptRecord) =>
    seal(new Secret(JSON.stringify(cases)), describeSealedPart(id, "cases"), sealing);
  return {
    async insert(transaction: Transaction, prompt: PromptRecord): Promise<void> {
      await within(transaction)
        .insertInto("prompts")
        .values({
          id: prompt.id,
          project_id: prompt.projectId,
          owner_id: prompt.owner.id,
          owner_name: prompt.owner.name,
          sealed_name: sealName(prompt),
          is_shared: prompt.isShared ? 1 : 0,
          sealed_cases: sealCases(prompt),
          latest_version: prompt.latestVersion,
          created_at_ms: prompt.createdAtMs,
          updated_at_ms: prompt.updatedAtMs,
        })
        .execute();
    },
    /** Stores its name, cases, sharing and newest version number. */
    async update(transaction: Transaction, prompt: PromptRecord): Promise<void> {
      await within(transaction)
        .updateTable("prompts")
        .set({
          sealed_name: sealName(prompt),
          is_shared: prompt.isShared ? 1 : 0,
          sealed_cases: sealCases(prompt),
          latest_version: prompt.latestVersion,
          updated_at_ms: prompt.updatedAtMs,
        })
        .where("id", "=", prompt.id)
        .execute();
    },
    /** Deletes its versions and runs, too. */
    async delete(transaction: Transaction, id: string): Promise<void> {
      await within(transaction).deleteFrom("prompts").where("id", "=", id).execute();
    },
    async insertVersion(
      transaction: Transaction,
      { id, promptId, number, author, content, createdAtMs }: PromptVersionRecord,
    ): Promise<void> {
      await within(transaction)
        .insertInto("prompt_versions")
        .values({
          id,
          prompt_id: promptId,
          number,
          author_id: author.id,
          author_name: author.name,
          sealed_content: seal(
            new Secret(JSON.stringify(content)),
            describeSealedPart(id, "content"),
            sealing,
          ),
          created_at_ms: createdAtMs,
        })
        .execute();
    },
  };
}

/** The number of leading items that fit, and at least one. */
function countWithin(maxBytes: number, items: readonly { readonly bytes: number }[]): number {
  let remainingBytes = maxBytes;
  const end = items.findIndex(({ bytes }) => {
    remainingBytes -= bytes;
    return remainingBytes < 0;
  });
  return end === -1 ? items.length : Math.max(1, end);
}

type HeadRow = Pick<PromptTables["prompts"], (typeof heads)[number]>;

function toHead(row: HeadRow, key: Uint8Array): PromptHead {
  return {
    id: row.id,
    projectId: row.project_id,
    owner: { id: row.owner_id, name: row.owner_name },
    name: unsealOrNull(row.sealed_name, describeSealedPart(row.id, "name"), key),
    isShared: row.is_shared === 1,
    latestVersion: row.latest_version,
    createdAtMs: row.created_at_ms,
    updatedAtMs: row.updated_at_ms,
  };
}

function toVersion(row: PromptTables["prompt_versions"], key: Uint8Array): PromptVersionRecord {
  const content = unsealOrNull(row.sealed_content, describeSealedPart(row.id, "content"), key);
  return {
    id: row.id,
    promptId: row.prompt_id,
    number: row.number,
    author: { id: row.author_id, name: row.author_name },
    content: content === null ? null : (JSON.parse(content) as PromptContent),
    createdAtMs: row.created_at_ms,
  };
}

function describeSealedPart(id: string, part: "name" | "cases" | "content"): string {
  return `prompt ${part} ${id}`;
}
