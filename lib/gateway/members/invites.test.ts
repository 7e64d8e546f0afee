import { expect, test } from "bun:test";
import { simulatedEffects } from "../ports/simulated-effects";
import { createInviteStore } from "../store/invite-store";
import { openTemporaryDatabase } from "../store/open-temporary-database";
import { acceptInvite } from "./accept-invite";
import { createInvite, INVITE_MS } from "./create-invite";
import { UserBook } from "./user-book";

const draft = {
  email: "Ada@Example.com",
  roleId: "role_reader",
  projects: [{ projectId: "proj_1", roleId: "role_project_member" }],
};

async function open() {
  const store = await openTemporaryDatabase();
  return {
    store,
    invites: createInviteStore(store.database),
    userBook: new UserBook([]),
    effects: simulatedEffects(),
  };
}

const spent = { status: 400, code: "invalid_invite", details: { param: "token" } };

test("of many who accept at once, one gets what the invitation carries", async () => {
  const { store, ...context } = await open();
  await using _ = store;
  const { invite, token } = await createInvite(context, draft);
  const tries = await Promise.allSettled(Array.from({ length: 20 }, () => acceptInvite(context, token)));
  const accepted = tries.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const now = context.effects.clock.nowMs();
  expect(accepted).toEqual([{ ...invite, email: "ada@example.com", acceptedAtMs: now }]);
  await store.reopen();
  const reopened = { ...context, invites: createInviteStore(store.database) };
  await expect(acceptInvite(reopened, token)).rejects.toMatchObject(spent);
});

test("an invitation ends with its seventh day, and what nobody sent is refused alike", async () => {
  const { store, ...context } = await open();
  await using _ = store;
  const { token } = await createInvite(context, draft);
  context.effects.pass(INVITE_MS - 1);
  await expect(acceptInvite(context, `${token}x`)).rejects.toMatchObject(spent);
  context.effects.pass(1);
  await expect(acceptInvite(context, token)).rejects.toMatchObject(spent);
  const again = await createInvite(context, draft);
  await acceptInvite(context, again.token);
});

test("an invitation whose member could not be made stays as good as before", async () => {
  const { store, ...context } = await open();
  await using _ = store;
  const { token } = await createInvite(context, draft);
  const failing = store.database.transaction().execute(async (transaction) => {
    await acceptInvite({ ...context, invites: createInviteStore(transaction) }, token);
    throw new Error("No member");
  });
  await expect(failing).rejects.toThrow("No member");
  expect(await acceptInvite(context, token)).toMatchObject({ roleId: "role_reader" });
});

test("a withdrawn invitation is refused; an accepted one can't be withdrawn", async () => {
  const { store, ...context } = await open();
  await using _ = store;
  const withdrawn = await createInvite(context, draft);
  expect(await context.invites.delete(withdrawn.invite.id)).toBe(true);
  await expect(acceptInvite(context, withdrawn.token)).rejects.toMatchObject(spent);
  const accepted = await createInvite(context, draft);
  await acceptInvite(context, accepted.token);
  expect(await context.invites.delete(accepted.invite.id)).toBe(false);
  await createInvite(context, draft);
});
