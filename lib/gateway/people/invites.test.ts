import { expect, test } from "bun:test";
import { ownerRole } from "@/lib/contract/access/predefined-roles";
import { change } from "../changes/change";
import { openTemporaryDatabase, testRequest } from "../database/testing/open-temporary-database";
import { createProjectStore } from "../projects/project-store.sql";
import { AccessGraph } from "../roles/access-graph";
import { createRoleStore } from "../roles/role-store.sql";
import { simulatedRuntime } from "../simulation/simulated-runtime";
import { createGroupStore } from "./group-store.sql";
import { GroupCache } from "./groups";
import { createInviteStore, type InviteRecord } from "./invite-store.sql";
import { acceptInvite, createInvite, findPendingInvite, INVITE_MS, type Inviter } from "./invites";
import { UserCache } from "./members";
import { createUserStore } from "./user-store.sql";

const draft = { email: "Ada@Example.com", role: "reader", projects: [] };
const inviter: Inviter = {
  actor: { holder: { kind: "role", id: ownerRole.id }, permissionsIn: () => new Set(ownerRole.permissions) },
  ref: { kind: "admin_key", id: "key_1" },
};
const ada = {
  name: "Ada",
  roles: [{ projectId: null as string | null, roleId: "role_reader" }],
  groupIds: [],
};
const invalidInvite = { status: 400, code: "invalid_invite", details: { param: "token" } };

async function openScene() {
  const store = await openTemporaryDatabase();
  const [invites, users] = [createInviteStore(store.reads), createUserStore(store.reads)];
  const userCache = new UserCache();
  const context = {
    changes: await store.changes(userCache.following(users)),
    invites,
    projects: createProjectStore(store.reads),
    users,
    groups: createGroupStore(store.reads),
    groupCache: new GroupCache(),
    roles: createRoleStore(store.reads),
    userCache,
    graph: new AccessGraph(),
    runtime: simulatedRuntime(),
  };
  return {
    store,
    ...context,
    invite: () => createInvite(context, testRequest, inviter, draft),
    accept: (invite: InviteRecord, as = ada) =>
      change(context, testRequest, (transaction) => acceptInvite(context, transaction, invite, as)),
    withdraw: (id: string) => store.write((_, transaction) => invites.delete(transaction, id)),
  };
}

test("makes one member of an invitation that many accept at once", async () => {
  const { store, ...context } = await openScene();
  await using _ = store;
  const { token } = await context.invite();
  const invite = await findPendingInvite(context, token);
  const tries = await Promise.allSettled(Array.from({ length: 20 }, () => context.accept(invite)));
  expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await context.users.list()).toMatchObject([{ email: "ada@example.com", name: "Ada" }]);
  const assignments = await store.reads
    .selectFrom("role_assignments")
    .select(["role_id", "project_id"])
    .execute();
  expect(assignments).toEqual([{ role_id: "role_reader", project_id: null }]);
  await expect(findPendingInvite(context, token)).rejects.toMatchObject(invalidInvite);
});

test("an invitation ends with its seventh day, and an unknown token is refused in the same way", async () => {
  const { store, ...context } = await openScene();
  await using _ = store;
  const { token } = await context.invite();
  context.runtime.pass(INVITE_MS - 1);
  await expect(findPendingInvite(context, `${token}x`)).rejects.toMatchObject(invalidInvite);
  const invite = await findPendingInvite(context, token);
  context.runtime.pass(1);
  await expect(findPendingInvite(context, token)).rejects.toMatchObject(invalidInvite);
  await expect(context.accept(invite)).rejects.toMatchObject(invalidInvite);
  await context.invite();
});

test("an invitation whose member could not be created stays valid", async () => {
  const { store, ...context } = await openScene();
  await using _ = store;
  const { token } = await context.invite();
  const invite = await findPendingInvite(context, token);
  const nowhere = { ...ada, roles: [{ projectId: "proj_none", roleId: "role_project_member" }] };
  await expect(context.accept(invite, nowhere)).rejects.toThrow(/foreign key/i);
  expect(await context.users.list()).toEqual([]);
  expect(await context.accept(await findPendingInvite(context, token))).toMatchObject({
    name: "Ada",
  });
});

test("a withdrawn invitation is refused; an accepted one can't be withdrawn", async () => {
  const { store, ...context } = await openScene();
  await using _ = store;
  const withdrawn = await context.invite();
  expect(await context.withdraw(withdrawn.invite.id)).toBe(true);
  await expect(findPendingInvite(context, withdrawn.token)).rejects.toMatchObject(invalidInvite);
  const accepted = await context.invite();
  await context.accept(await findPendingInvite(context, accepted.token));
  expect(await context.withdraw(accepted.invite.id)).toBe(false);
});
