import { sql } from "kysely";
import type { PromptCase, PromptContent } from "@/lib/contract/operations/playground/prompts";
import { within } from "../changes/transactions.sql";
import type { Reads } from "../database/database";
import { listById } from "../database/list-by-id";
import { type Sealing, seal, unsealOrNull } from "../database/seal";
import { mergeById } from "../lists/paged-list";
import { Secret } from "../secrets/secret";
import type { PromptTables } from "./prompt-rows";
import type { PromptHead, PromptRecord, PromptStore, PromptVersionRecord } from "./prompt-store";

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

type Reading = "pages" | "find" | "countOwned" | "sumOwnedBytes" | "versionPages" | "findVersion";

export function createSqlitePromptStore(reads: Reads, sealing: Sealing): PromptStore {
  return { ...createReads(reads, sealing.key), ...createWrites(sealing) };
}

function createReads(reads: Reads, key: Uint8Array): Pick<PromptStore, Reading> {
  const selectByProjects = (projectIds: readonly string[], isShared: 0 | 1) =>
    reads
      .selectFrom("prompts")
      .select(heads)
      .where("is_shared", "=", isShared)
      .where("project_id", "in", [...projectIds]);
  const versions = (promptId: string) =>
    reads.selectFrom("prompt_versions").selectAll().where("prompt_id", "=", promptId);
  return {
    pages(projectIds, readerId) {
      const toItem = (row: HeadRow) => toHead(row, key);
      const ownPrompts = selectByProjects(projectIds, 0).where("owner_id", "=", readerId);
      return mergeById(
        listById(selectByProjects(projectIds, 1), newestFirst, toItem),
        listById(ownPrompts, newestFirst, toItem),
        "desc",
      );
    },
    async find(projectId, id) {
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
    async countOwned(ownerId) {
      const { count } = await reads
        .selectFrom("prompts")
        .select((from) => from.fn.countAll<number>().as("count"))
        .where("owner_id", "=", ownerId)
        .executeTakeFirstOrThrow();
      return Number(count);
    },
    async sumOwnedBytes(ownerId) {
      const { bytes } = await reads
        .selectFrom("prompt_sizes")
        .select((from) => from.fn.sum<number | null>("bytes").as("bytes"))
        .where("owner_id", "=", ownerId)
        .executeTakeFirstOrThrow();
      return Number(bytes ?? 0);
    },
    versionPages(promptId) {
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
    async findVersion(promptId, number) {
      const row = await versions(promptId).where("number", "=", number).executeTakeFirst();
      return row ? toVersion(row, key) : null;
    },
  };
}

function createWrites(sealing: Sealing): Omit<PromptStore, Reading> {
  const sealName = ({ id, name }: PromptRecord) =>
    seal(new Secret(name), describeSealedPart(id, "name"), sealing);
  const sealCases = ({ id, cases }: PromptRecord) =>
    seal(new Secret(JSON.stringify(cases)), describeSealedPart(id, "cases"), sealing);
  return {
    async insert(transaction, prompt) {
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
    async update(transaction, prompt) {
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
    async delete(transaction, id) {
      await within(transaction).deleteFrom("prompts").where("id", "=", id).execute();
    },
    async insertVersion(transaction, { id, promptId, number, author, content, createdAtMs }) {
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
