import { cutText, isVisible, removeControls } from "@/lib/contract/plain-text";
import { emailAddress } from "@/lib/contract/schema";
import { type ChangeRequest, change } from "../changes/change";
import type { Transaction } from "../changes/transactions.sql";
import type { GroupUserContext } from "../people/groups";
import { findUser, newUser, type UserContext } from "../people/members";
import type { UserRecord } from "../people/user-store.sql";
import { conflict } from "../refusal";
import { type Actor, refuseLostOwnership } from "../roles/actor";
import { acceptForDirectory, type DirectoryAdmission } from "../sign-in/join-by-invite";
import { patchResource, readResource } from "./scim-patch";
import { asRecord, ScimRefusal, type ScimResource, userSchema } from "./scim-schema";

export type DirectoryContext = UserContext & GroupUserContext & DirectoryAdmission;

const MAX_NAME = 100;
const MAX_ID = 254;

/** A member as a directory wants them. */
interface MemberDraft {
  readonly email: string;
  readonly name: string;
  readonly isActive: boolean;
  readonly directory: NonNullable<UserRecord["directory"]>;
}

/** A member as SCIM shows them. Members whom no directory keeps are shown, too: a directory looks for them first. */
export function toScimUser(
  { groupCache, graph }: Pick<DirectoryContext, "groupCache" | "graph">,
  user: UserRecord,
  baseUrl: string,
): ScimResource {
  const { directory } = user;
  const name = { formatted: user.name, givenName: directory?.givenName, familyName: directory?.familyName };
  return {
    schemas: [userSchema.id],
    id: user.id,
    externalId: directory?.externalId ?? undefined,
    userName: directory?.userName ?? user.email,
    displayName: user.name,
    active: user.deactivatedAtMs === null,
    name,
    emails: [{ value: user.email, type: "work", primary: true }],
    get groups() {
      return graph.listGroups(user.id).map((id) => ({
        value: id,
        $ref: `${baseUrl}/Groups/${id}`,
        display: groupCache.find(id)?.name,
      }));
    },
    meta: {
      resourceType: "User",
      created: new Date(user.createdAtMs).toISOString(),
      location: `${baseUrl}/Users/${user.id}`,
    },
  };
}

/**
 * Adds a member. Whoever has the address already is the same person: a member whom no directory keeps, or somebody with
 * an invitation, whose roles they get.
 * @throws Refusal 409 if the directory keeps another member with the name or the address; 400.
 */
export function createDirectoryUser(
  context: DirectoryContext,
  request: ChangeRequest,
  actor: Actor,
  body: ScimResource,
): Promise<UserRecord> {
  const { users, userCache } = context;
  const draft = readDraft(readResource(userSchema, body), null);
  return change(context, request, async (transaction) => {
    const { email, name, directory } = draft;
    const existing = userCache.findByEmail(email);
    if (existing?.directory) throw taken("address", email);
    if (existing) return saveUser(context, transaction, actor, existing, draft);
    refuseTaken(context, draft, null);
    const invited = await acceptForDirectory(context, transaction, { email, name });
    const user = invited ?? { ...newUser(context, draft), directory };
    if (!invited) await users.insert(transaction, user);
    return saveUser(context, transaction, actor, user, draft);
  });
}

/**
 * Replaces what the directory says of a member (`PUT`), or changes a part of it (`PATCH`).
 * @throws Refusal 404; 400; 409 for a name or an address that another member has, and for the last Owner.
 */
export function changeDirectoryUser(
  context: DirectoryContext,
  request: ChangeRequest,
  actor: Actor,
  { id, body, isPatch }: { readonly id: string; readonly body: ScimResource; readonly isPatch: boolean },
): Promise<UserRecord> {
  return change(context, request, async (transaction) => {
    const user = findUser(context.userCache, id, "id");
    const resource = isPatch
      ? patchResource(userSchema, toScimUser(context, user, ""), body)
      : readResource(userSchema, body);
    return saveUser(context, transaction, actor, user, readDraft(resource, user));
  });
}

/** Removes a member, with immediate effect. @throws Refusal 404; 409 for the last Owner. */
export function removeDirectoryUser(
  context: DirectoryContext,
  request: ChangeRequest,
  actor: Actor,
  id: string,
): Promise<void> {
  const { graph, users, userCache, runtime } = context;
  return change(context, request, async (transaction) => {
    findUser(userCache, id, "id");
    refuseLostOwnership(graph, actor, (records) => records.removePrincipal({ kind: "user", id }));
    await users.remove(transaction, id, runtime.clock.nowMs());
  });
}

async function saveUser(
  context: DirectoryContext,
  transaction: Transaction,
  actor: Actor,
  user: UserRecord,
  { isActive, ...draft }: MemberDraft,
): Promise<UserRecord> {
  const { graph, users, runtime } = context;
  refuseTaken(context, draft, user.id);
  const saved = { ...user, ...draft };
  if (!Bun.deepEquals(saved, user)) await users.update(transaction, saved);
  if (isActive === (user.deactivatedAtMs === null)) return saved;
  if (isActive) {
    await users.reactivate(transaction, user.id);
    return { ...saved, deactivatedAtMs: null };
  }
  refuseLostOwnership(graph, actor, (records) => records.setDeactivated(user.id, true));
  const deactivatedAtMs = runtime.clock.nowMs();
  await users.deactivate(transaction, user.id, deactivatedAtMs);
  return { ...saved, deactivatedAtMs };
}

/** @throws Refusal 409 if another member has the address, or the name in the directory. */
function refuseTaken(
  { userCache }: Pick<DirectoryContext, "userCache">,
  { email, directory: { userName } }: Pick<MemberDraft, "email" | "directory">,
  ownId: string | null,
): void {
  const folded = userName.toLowerCase();
  for (const { id, ...other } of userCache.list()) {
    if (id === ownId) continue;
    if (other.email === email) throw taken("address", email);
    if ((other.directory?.userName ?? other.email).toLowerCase() === folded)
      throw taken("userName", userName);
  }
}

const taken = (what: string, value: string) =>
  conflict("userName", `Another member has the ${what} ${value} already.`);

/** @throws ScimRefusal for what is missing or no value of its attribute. */
function readDraft(resource: ScimResource, user: UserRecord | null): MemberDraft {
  const userName = readText(resource, "userName", MAX_ID);
  if (userName === null) throw new ScimRefusal("invalidValue", "userName is missing.");
  const { givenName = null, familyName = null } = readNameParts(resource);
  const email = readEmail(resource, userName) ?? user?.email;
  if (!email) {
    const message = "emails has no address to sign in with, and userName is none either.";
    throw new ScimRefusal("invalidValue", message);
  }
  return {
    email,
    name: readName(resource, user) ?? fitName(userName) ?? email,
    isActive: readActive(resource.active) ?? (!user || user.deactivatedAtMs === null),
    directory: { userName, externalId: readText(resource, "externalId", MAX_ID), givenName, familyName },
  };
}

function readText(resource: ScimResource, name: string, maxLength = MAX_NAME): string | null {
  const value = resource[name];
  if (value === undefined || value === null || value === "") return null;
  if (typeof value !== "string" || value.length > maxLength || removeControls(value) !== value)
    throw new ScimRefusal("invalidValue", `${name} must be a text of at most ${maxLength} characters.`);
  return value;
}

function readNameParts(resource: ScimResource) {
  const name = asRecord(resource.name) ?? {};
  return { givenName: readText(name, "givenName"), familyName: readText(name, "familyName") };
}

/** The primary address, else that of work, else the first; without any, a user name that is one. */
function readEmail(resource: ScimResource, userName: string): string | null {
  const items = Array.isArray(resource.emails) ? resource.emails.map((item) => asRecord(item) ?? {}) : [];
  const filled = items.filter(({ value }) => value !== undefined && value !== null && value !== "");
  const chosen =
    filled.find(({ primary }) => readActive(primary) === true) ??
    filled.find(({ type }) => String(type).toLowerCase() === "work") ??
    filled[0];
  const read = emailAddress.safeParse(chosen ? chosen.value : userName);
  if (read.success) return read.data.toLowerCase();
  if (!chosen) return null;
  throw new ScimRefusal("invalidValue", `emails: "${String(chosen.value).slice(0, 100)}" is no address.`);
}

/** Entra writes truth values as text: "False". @returns null if there is none. @throws ScimRefusal */
function readActive(value: unknown): boolean | null {
  if (value === undefined || value === null) return null;
  const text = String(value).toLowerCase();
  if (text === "true" || text === "false") return text === "true";
  throw new ScimRefusal("invalidValue", "active and primary must be true or false.");
}

/**
 * The name that everybody sees. A changed one counts; a name that was put together of its parts follows them.
 */
function readName(resource: ScimResource, user: UserRecord | null): string | null {
  const parts = readNameParts(resource);
  const isOfParts = !user || user.name === joinParts(user.directory);
  const candidates = [
    resource.displayName,
    asRecord(resource.name)?.formatted,
    isOfParts ? joinParts(parts) : null,
  ];
  const names = candidates.flatMap((name) => fitName(name) ?? []);
  return names.find((name) => name !== user?.name) ?? user?.name ?? null;
}

function joinParts(parts: { givenName: string | null; familyName: string | null } | null): string | null {
  return [parts?.givenName, parts?.familyName].filter(Boolean).join(" ") || null;
}

/** A name as a member may have one. Directories send what people typed there. */
function fitName(name: unknown): string | null {
  if (typeof name !== "string") return null;
  const fitted = cutText(removeControls(name).trim(), MAX_NAME).trim();
  return isVisible(fitted) ? fitted : null;
}
