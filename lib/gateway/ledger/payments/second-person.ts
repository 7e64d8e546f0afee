import type { Permission } from "@/lib/contract/access/permissions";
import { DAY_MS } from "@/lib/contract/durations";
import type { AuditLogReader, AuditRecord } from "../../changes/audit/audit-log-reader.sql";
import type { ClockAndRandom } from "../../clock";
import type { AccessGraph } from "../../roles/access-graph";
import type { PendingPaymentStore } from "./pending-payment-store.sql";
import type { PaymentMaker, PaymentPerson } from "./posting";

export interface SecondPersonContext {
  readonly auditLog: Pick<AuditLogReader, "pages">;
  readonly graph: Pick<AccessGraph, "findRole" | "listGroups" | "listUserRoles" | "directRoles">;
  readonly pendingPayments: Pick<PendingPaymentStore, "approvalSince">;
  readonly runtime: ClockAndRandom;
  /** What is approved, if not payments: by whom, and since when it needs a second person. */
  readonly approval?: {
    readonly permission: Permission;
    readonly since: () => Promise<number | null>;
  };
}

/** Why a member can't approve a payment, and until when; `untilMs` is null if waiting changes nothing. */
export interface ApprovalRefusal {
  readonly message: string;
  readonly untilMs: number | null;
}

/** For this long after a member was let in, or back in, the member and their inviter count as one person. */
const ENTRY_MS = 7 * DAY_MS;

const PAYS: Permission = "api.payments.write";
const creationEvents = ["api_key.created", "organization.created"];
/** The events by which another person can take over a member's account. */
const resetEvents = [
  "user.password_reset.created",
  "user.two_factor.deleted",
  "user.single_sign_on.unlinked",
  "user.single_sign_on.linked",
];
const entryEvents = [
  ...resetEvents,
  "invite.accepted",
  "role.assignment.created",
  "role.updated",
  "user.updated",
  "user.added",
  "group.user.added",
];
const PAGE = 100;
/** A chain of members who invite members within seven days is never longer, except in an attack. */
const MAX_STEPS = 20;

/** The keys from a maker to the member who made the first of them, according to the audit log. */
interface Lineage {
  readonly keyIds: readonly string[];
  /** Null for keys that go back to the first key, which belongs to no member. */
  readonly userId: string | null;
  /** Whether the audit log still has all of it. */
  readonly isKnown: boolean;
}

/** When a member was let in, or back in, and by whom; null if neither another member nor a key did it. */
interface Entry {
  readonly atMs: number;
  readonly by: Pick<PaymentPerson, "kind" | "id"> | null;
}

/** Why a person can't approve what another recorded; null if they can. */
export async function findApprovalRefusal(
  context: SecondPersonContext,
  maker: PaymentPerson,
  approver: PaymentPerson,
): Promise<ApprovalRefusal | null> {
  const never = (message: string) => ({ message, untilMs: null });
  if (approver.kind !== "user") return never("Sign in as a member to approve: a key may be anybody’s.");
  if (approver.id === maker.id) return never("Somebody else has to approve what you recorded.");
  const lineage = await traceLineage(context, maker);
  if (lineage.userId === approver.id)
    return never("Somebody else has to approve what a key you made recorded.");
  if (!lineage.isKnown)
    return never(
      "The key that recorded this is older than the audit log, so nobody can tell whose it is. Decline it, and record it as a member.",
    );
  const [entry] = await listEntries(context, approver.id);
  if (entry)
    return until(
      entry,
      "You were let in or given access anew less than seven days ago. Somebody else has to approve.",
    );
  if (lineage.userId === null)
    return (await wasInvitedByFirstKey(context, approver.id))
      ? never(
          "This was recorded by a key of no member, which let you in, so you may be its holder. Decline it, and record it as a member.",
        )
      : null;
  const backers = await traceBackers(context, lineage.userId);
  if (isTooLong(backers))
    return never(
      `More than ${MAX_STEPS} members let each other in before whoever recorded this. Decline it, and record it as another member.`,
    );
  const letIn = [...backers.values()].flat().find(({ by }) => by?.id === approver.id);
  return letIn
    ? until(letIn, "You let in whoever recorded this less than seven days ago. Somebody else has to approve.")
    : null;
}

/** Adds the payer behind a payment's maker: the member who made the key, or who has just let that member in. */
export async function findPayer(context: SecondPersonContext, maker: PaymentPerson): Promise<PaymentMaker> {
  if ((await context.pendingPayments.approvalSince()) === null) return { ...maker, payerId: maker.id };
  const { userId, keyIds } = await traceLineage(context, maker);
  if (userId === null) return { ...maker, payerId: keyIds.at(-1) ?? maker.id };
  const backers = await traceBackers(context, userId);
  return { ...maker, payerId: isTooLong(backers) ? CROWD : findRoot(backers) };
}

function until({ atMs }: Entry, message: string): ApprovalRefusal {
  return { message, untilMs: atMs + ENTRY_MS };
}

async function traceLineage(
  { auditLog }: Pick<SecondPersonContext, "auditLog">,
  { kind, id }: Pick<PaymentPerson, "kind" | "id">,
): Promise<Lineage> {
  if (kind === "user") return { keyIds: [], userId: id, isKnown: true };
  const keyIds = [id];
  for (;;) {
    const resourceIds = keyIds.slice(-1);
    const [event] = await auditLog.pages({ types: creationEvents, resourceIds }).read({ limit: 1 });
    if (!event) return { keyIds, userId: null, isKnown: false };
    if (event.actor_user_id !== null) return { keyIds, userId: event.actor_user_id, isKnown: true };
    if (event.actor_key_id === null) return { keyIds, userId: null, isKnown: true };
    keyIds.push(event.actor_key_id);
  }
}

/** Members by who let them in, from one on: each is followed by those who let them in, and so on. */
type Backers = ReadonlyMap<string, readonly Entry[]>;

/** The one payer of all members behind whom a longer chain stands than is followed. */
const CROWD = "crowd";

async function traceBackers(context: SecondPersonContext, userId: string): Promise<Backers> {
  const backers = new Map<string, Entry[]>();
  const open = [userId];
  for (let id = open.shift(); id !== undefined && !isTooLong(backers); id = open.shift()) {
    if (backers.has(id)) continue;
    const entries: Entry[] = [];
    backers.set(id, entries);
    for (const entry of await listEntries(context, id)) {
      const lineage = entry.by && (await traceLineage(context, entry.by));
      const byId = lineage && (lineage.userId ?? lineage.keyIds.at(-1));
      if (!lineage || !byId || byId === id) continue;
      const kind = lineage.userId === null ? "admin_api_key" : "user";
      entries.push({ atMs: entry.atMs, by: { kind, id: byId } });
      if (lineage.userId !== null) open.push(byId);
    }
  }
  return backers;
}

const isTooLong = (backers: Backers) => backers.size > MAX_STEPS;

/**
 * Who stands behind all others: whom nobody let in, or the first of those who let each other in. Whichever of them
 * pays, it is the same one.
 */
function findRoot(backers: Backers): string {
  const behind = (id: string) => {
    const found = new Set([id]);
    for (const one of found) for (const { by } of backers.get(one) ?? []) if (by) found.add(by.id);
    return found;
  };
  const [first = ""] = backers.keys();
  const [root = first] = [...behind(first)].toSorted(
    (one, other) => behind(one).size - behind(other).size || (one < other ? -1 : 1),
  );
  return root;
}

/**
 * How a member was let in, or back in, in the last seven days, newest first. What was before the rule was set doesn't
 * count: nobody could get around it yet.
 */
async function listEntries(context: SecondPersonContext, userId: string): Promise<Entry[]> {
  const { auditLog, runtime, pendingPayments, approval } = context;
  const sinceMs = await (approval ? approval.since() : pendingPayments.approvalSince());
  const fromMs = Math.max((sinceMs ?? 0) + 1, runtime.clock.nowMs() - ENTRY_MS);
  const ways = findWaysIn(context, userId);
  const list = auditLog.pages({ types: entryEvents, resourceIds: [...ways.ids], fromMs });
  const entries: Entry[] = [];
  for (let after: string | undefined; ; ) {
    const page = await list.read({ limit: PAGE, ...(after && { after }) });
    for (const event of page) {
      if (isEntry(event, ways)) entries.push({ atMs: event.at_ms, by: await findBacker(auditLog, event) });
    }
    after = page.at(-1)?.id;
    if (page.length < PAGE || after === undefined) return entries;
  }
}

/** The ids of a member, and of the groups and roles that let the member record and approve. */
interface WaysIn {
  readonly userId: string;
  readonly groupIds: ReadonlySet<string>;
  readonly roleIds: ReadonlySet<string>;
  readonly ids: readonly string[];
}

function findWaysIn(
  { graph, approval }: Pick<SecondPersonContext, "graph" | "approval">,
  userId: string,
): WaysIn {
  const permission = approval?.permission ?? PAYS;
  const pays = (roles: ReturnType<AccessGraph["directRoles"]>) =>
    roles.filter(({ role }) => [...role.permissions].includes(permission));
  const groupIds = graph.listGroups(userId).filter((id) => pays(graph.directRoles({ id }, null)).length > 0);
  const roleIds = pays(graph.listUserRoles(userId, null)).map(({ role }) => role.id);
  return {
    userId,
    groupIds: new Set(groupIds),
    roleIds: new Set(roleIds),
    ids: [userId, ...groupIds, ...roleIds],
  };
}

function isEntry(event: AuditRecord, { userId, groupIds, roleIds }: WaysIn): boolean {
  const { type, changes, actor_user_id: actorId } = event;
  if (type === "invite.accepted")
    return changes.some(({ object, id }) => object === "users" && id === userId);
  if (actorId === userId) return false;
  // A link that the member asked for by mail has no actor.
  if (resetEvents.includes(type))
    return changes.some(({ id }) => id === userId) && (actorId ?? event.actor_key_id) !== null;
  return changes.some(({ object, id, subject_id: subject, project_id: projectId, before, after }) => {
    if (after === null) return false;
    if (object === "group_users") return subject === userId && groupIds.has(id);
    if (object === "roles") return roleIds.has(id) && before?.permissions !== after.permissions;
    const isTheirs = subject === userId || groupIds.has(subject ?? "");
    return object === "role_assignments" && projectId === null && isTheirs && roleIds.has(id);
  });
}

/** Who let somebody in: the sender of an invitation, or the actor of the event. */
async function findBacker(
  auditLog: SecondPersonContext["auditLog"],
  event: AuditRecord,
): Promise<Entry["by"]> {
  if (event.type !== "invite.accepted") return toPerson(event);
  const invite = event.changes.find(({ object }) => object === "invites");
  const [sent] = invite
    ? await auditLog.pages({ types: ["invite.sent"], resourceIds: [invite.id] }).read({ limit: 1 })
    : [];
  return sent ? toPerson(sent) : null;
}

function toPerson({ actor_user_id: userId, actor_key_id: keyId }: AuditRecord): Entry["by"] {
  if (userId !== null) return { kind: "user", id: userId };
  return keyId === null ? null : { kind: "admin_api_key", id: keyId };
}

/** Whether a key without a member sent a member's invitation, or the audit log no longer knows who sent it. */
async function wasInvitedByFirstKey(
  context: Pick<SecondPersonContext, "auditLog">,
  userId: string,
): Promise<boolean> {
  const list = context.auditLog.pages({ types: ["invite.accepted"], resourceIds: [userId] });
  const [event] = await list.read({ limit: 1 });
  const by = event && (await findBacker(context.auditLog, event));
  return !by || (await traceLineage(context, by)).userId === null;
}
