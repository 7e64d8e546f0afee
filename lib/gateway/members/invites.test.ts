import { expect, test } from "bun:test";
import { simulatedEffects } from "../simulation/simulated-effects";
import { createMemberAdmission } from "../store/member-admission";
import { openTemporaryDatabase } from "../store/open-temporary-database";
import { createSqliteInviteStore } from "../store/sqlite-invite-store";
import { createSqliteUserStore } from "../store/sqlite-user-store";
import { acceptInvite, findPendingInvite } from "./accept-invite";
import { createInvite, INVITE_MS } from "./create-invite";
import { UserBook } from "./user-book";

const draft = { email: "Ada@Example.com", roleId: "role_reader", projects: [], inviter: null };
const ada = { name: "Ada", seats: [{ projectId: null, roleId: "role_reader" }], password: null };
const spent = { status: 400, code: "invalid_invite", details: { param: "token" } };

async function open() {
  const store = await openTemporaryDatabase();
  return {
    store,
    invites: createSqliteInviteStore(store.database),
    memberAdmission: createMemberAdmission(store.database),
    users: createSqliteUserStore(store.database),
    userBook: new UserBook([]),
    effects: simulatedEffects(),
  };
}

test("of many who accept at once, one becomes the member that the invitation makes", async () => {
  const { store, ...context } = await open();
  await using _ = store;
  const { token } = await createInvite(context, draft);
  const invite = await findPendingInvite(context, token);
  const tries = await Promise.allSettled(
    Array.from({ length: 20 }, () => acceptInvite(context, invite, ada)),
  );
  expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await context.users.list()).toMatchObject([{ email: "ada@example.com", name: "Ada" }]);
  const held = await store.database
    .selectFrom("role_assignments")
    .select(["role_id", "project_id"])
    .execute();
  expect(held).toEqual([{ role_id: "role_reader", project_id: null }]);
  await expect(findPendingInvite(context, token)).rejects.toMatchObject(spent);
});

test("an invitation ends with its seventh day, and what nobody sent is refused alike", async () => {
  const { store, ...context } = await open();
  await using _ = store;
  const { token } = await createInvite(context, draft);
  context.effects.pass(INVITE_MS - 1);
  await expect(findPendingInvite(context, `${token}x`)).rejects.toMatchObject(spent);
  const invite = await findPendingInvite(context, token);
  context.effects.pass(1);
  await expect(findPendingInvite(context, token)).rejects.toMatchObject(spent);
  await expect(acceptInvite(context, invite, ada)).rejects.toMatchObject(spent);
  await createInvite(context, draft);
});

test("an invitation whose member could not be made stays as good as before", async () => {
  const { store, ...context } = await open();
  await using _ = store;
  const { token } = await createInvite(context, draft);
  const invite = await findPendingInvite(context, token);
  const nowhere = { ...ada, seats: [{ projectId: "proj_none", roleId: "role_project_member" }] };
  await expect(acceptInvite(context, invite, nowhere)).rejects.toThrow("FOREIGN KEY");
  expect(await context.users.list()).toEqual([]);
  expect(await acceptInvite(context, await findPendingInvite(context, token), ada)).toMatchObject({
    name: "Ada",
  });
});

test("a withdrawn invitation is refused; an accepted one can't be withdrawn", async () => {
  const { store, ...context } = await open();
  await using _ = store;
  const withdrawn = await createInvite(context, draft);
  expect(await context.invites.delete(withdrawn.invite.id)).toBe(true);
  await expect(findPendingInvite(context, withdrawn.token)).rejects.toMatchObject(spent);
  const accepted = await createInvite(context, draft);
  await acceptInvite(context, await findPendingInvite(context, accepted.token), ada);
  expect(await context.invites.delete(accepted.invite.id)).toBe(false);
});
