import { newId } from "@/lib/contract/ids";
import { displayName } from "@/lib/contract/schema";
import { type ChangeRequest, change } from "../changes/change";
import type { Transaction } from "../changes/transactions.sql";
import type { GroupRecord } from "../people/group-store.sql";
import { findGroup } from "../people/groups";
import type { AccessGraph } from "../roles/access-graph";
import { type Actor, refuseLostOwnership } from "../roles/actor";
import type { DirectoryContext } from "./directory-users";
import { patchResource, readResource } from "./scim-patch";
import { asRecord, groupSchema, ScimRefusal, type ScimResource } from "./scim-schema";

interface GroupDraft {
  readonly name: string;
  readonly externalId: string | null;
  /** The ids of its members; null to leave them as they are. */
  readonly memberIds: ReadonlySet<string> | null;
}

/** The members of each group, read once for a list of groups. */
export function listMembers(graph: AccessGraph): (groupId: string) => readonly string[] {
  let byGroup: Map<string, string[]> | null = null;
  return (groupId) => {
    byGroup ??= groupMembers(graph);
    return byGroup.get(groupId) ?? [];
  };
}

function groupMembers(graph: AccessGraph): Map<string, string[]> {
  const byGroup = new Map<string, string[]>();
  for (const userId of graph.userIds())
    for (const groupId of graph.listGroups(userId)) {
      const members = byGroup.get(groupId);
      if (members) members.push(userId);
      else byGroup.set(groupId, [userId]);
    }
  return byGroup;
}

/** A group as SCIM shows it. Its members are listed when they are read. */
export function toScimGroup(
  { userCache }: Pick<DirectoryContext, "userCache">,
  { id, name, externalId, createdAtMs }: GroupRecord,
  membersOf: (groupId: string) => readonly string[],
  baseUrl: string,
): ScimResource {
  return {
    schemas: [groupSchema.id],
    id,
    externalId: externalId ?? undefined,
    displayName: name,
    get members() {
      return membersOf(id).map((value) => ({
        value,
        $ref: `${baseUrl}/Users/${value}`,
        display: userCache.find(value)?.name,
      }));
    },
    meta: {
      resourceType: "Group",
      created: new Date(createdAtMs).toISOString(),
      location: `${baseUrl}/Groups/${id}`,
    },
  };
}

/**
 * Creates a group, without roles until somebody gives it some.
 * @throws Refusal 409 if a group has the name; 400.
 */
export function createDirectoryGroup(
  context: DirectoryContext,
  request: ChangeRequest,
  actor: Actor,
  body: ScimResource,
): Promise<GroupRecord> {
  const { groups, groupCache, runtime } = context;
  const { name, externalId, memberIds } = readDraft(readResource(groupSchema, body));
  return change(context, request, async (transaction) => {
    groupCache.refuseTakenName(name, null);
    const createdAtMs = runtime.clock.nowMs();
    const id = newId("group", createdAtMs, runtime.random);
    const group = { id, name, createdAtMs, externalId, isScimManaged: true };
    await groups.insert(transaction, group);
    await saveMembers(context, transaction, actor, { id, before: [], after: memberIds ?? new Set() });
    return group;
  });
}

/**
 * Replaces what the directory says of a group (`PUT`), or changes a part of it (`PATCH`). From then on the directory
 * keeps the group.
 * @throws Refusal 404; 400; 409 for a name that is taken, and if no owner would be left.
 */
export function changeDirectoryGroup(
  context: DirectoryContext,
  request: ChangeRequest,
  actor: Actor,
  { id, body, isPatch }: { readonly id: string; readonly body: ScimResource; readonly isPatch: boolean },
): Promise<GroupRecord> {
  const { groups, groupCache, graph } = context;
  return change(context, request, async (transaction) => {
    const group = findGroup(groupCache, id);
    const before = listMembers(graph)(id);
    const resource = isPatch
      ? patchResource(
          groupSchema,
          toScimGroup(context, group, () => before, ""),
          body,
        )
      : readResource(groupSchema, body);
    const { name, externalId, memberIds } = readDraft(resource);
    groupCache.refuseTakenName(name, id);
    const saved = { ...group, name, externalId, isScimManaged: true };
    if (!Bun.deepEquals(saved, group)) await groups.update(transaction, saved);
    if (memberIds) await saveMembers(context, transaction, actor, { id, before, after: memberIds });
    return saved;
  });
}

/** Removes a group and what its members held through it. @throws Refusal 404; 409 if no owner would be left. */
export function removeDirectoryGroup(
  context: DirectoryContext,
  request: ChangeRequest,
  actor: Actor,
  id: string,
): Promise<void> {
  const { groups, groupCache, graph } = context;
  return change(context, request, async (transaction) => {
    findGroup(groupCache, id);
    refuseLostOwnership(graph, actor, (records) => records.removePrincipal({ kind: "group", id }));
    await groups.delete(transaction, id);
  });
}

async function saveMembers(
  { groups, userCache, graph, runtime }: DirectoryContext,
  transaction: Transaction,
  actor: Actor,
  { id, before, after }: { id: string; before: readonly string[]; after: ReadonlySet<string> },
): Promise<void> {
  const held = new Set(before);
  const joined = [...after].filter((userId) => !held.has(userId));
  const left = before.filter((userId) => !after.has(userId));
  for (const userId of joined)
    if (!userCache.find(userId))
      throw new ScimRefusal("invalidValue", `members: there is no user "${userId.slice(0, 100)}".`);
  refuseLostOwnership(graph, actor, (records) => {
    for (const userId of joined) records.addToGroup(id, userId);
    for (const userId of left) records.removeFromGroup(id, userId);
  });
  const nowMs = runtime.clock.nowMs();
  for (const userId of left) await groups.removeUser(transaction, id, userId);
  for (const userId of joined) await groups.addUser(transaction, id, userId, nowMs);
}

/** @throws ScimRefusal for what is missing or no value of its attribute. */
function readDraft(resource: ScimResource): GroupDraft {
  const name = displayName.safeParse(resource.displayName);
  if (!name.success)
    throw new ScimRefusal("invalidValue", "displayName must be a text of 1 to 100 characters.");
  const { externalId = null } = resource;
  if (externalId !== null && (typeof externalId !== "string" || externalId.length > 254))
    throw new ScimRefusal("invalidValue", "externalId must be a text of at most 254 characters.");
  return { name: name.data, externalId, memberIds: readMembers(resource.members) };
}

function readMembers(members: unknown): ReadonlySet<string> | null {
  if (members === undefined) return null;
  const items: unknown[] = Array.isArray(members) ? members : [members];
  const ids = items.map((item) => asRecord(item)?.value);
  const isText = (id: unknown): id is string => typeof id === "string";
  if (!ids.every(isText)) throw new ScimRefusal("invalidValue", "members must name users by their value.");
  return new Set(ids);
}
