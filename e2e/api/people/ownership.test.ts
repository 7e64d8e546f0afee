import { afterAll, beforeAll, expect, test } from "bun:test";
import { APIError } from "openai";
import { catchRefusal } from "../../support/clients/official-client";
import { serveStaffedGateway } from "../../support/gateways/serve-staffed-gateway";

type Staffed = Awaited<ReturnType<typeof serveStaffedGateway>>;
let { gateway, client, as, members } = {} as Staffed;

beforeAll(async () => {
  ({ gateway, client, as, members } = await serveStaffedGateway());
});
afterAll(() => gateway.close());

/** The outcome of each concurrent call: its refusal's code, or "done". */
async function readOutcomes(calls: readonly PromiseLike<unknown>[]): Promise<string[]> {
  const settled = await Promise.allSettled(calls);
  return settled.map((one) => {
    if (one.status === "fulfilled") return "done";
    if (one.reason instanceof APIError) return String(one.reason.code);
    throw one.reason;
  });
}

const owners = async () => {
  const { data } = await client.admin.organization.users.list();
  return data.filter(({ role }) => role === "owner").map(({ id }) => id);
};

test("keeps one owner when all are removed at once", async () => {
  const { users } = client.admin.organization;
  const ids = [members.lead.id, members.ada.id, members.ben.id];
  for (const id of ids) await users.update(id, { role: "owner" });
  const outcomes = await readOutcomes(ids.map((user_id) => users.roles.delete("role_owner", { user_id })));
  expect(outcomes.toSorted()).toEqual(["done", "done", "last_owner"]);
  expect(await owners()).toHaveLength(1);
});

test("lets the first of two owners take ownership from the other", async () => {
  const { users } = client.admin.organization;
  const { ada, ben } = members;
  for (const { id } of [ada, ben]) await users.update(id, { role: "owner" });
  if ((await owners()).includes(members.lead.id)) await users.update(members.lead.id, { role: "reader" });
  const take = (by: string, user_id: string) =>
    as(by).admin.organization.users.roles.delete("role_owner", { user_id });
  const outcomes = await readOutcomes([take(ada.token, ben.id), take(ben.token, ada.id)]);
  expect(outcomes.filter((outcome) => outcome === "done")).toHaveLength(1);
  expect(await owners()).toHaveLength(1);
});

test("a key whose role is all it owns by can't cut that role down, another owner can", async () => {
  const { roles, adminAPIKeys } = client.admin.organization;
  const { permissions } = await roles.retrieve("role_owner");
  const { id: role } = await roles.create({ role_name: "Steward", permissions });
  const draft = { name: "Steward", role };
  const { value } = await adminAPIKeys.create(draft);
  const change = { permissions: permissions.filter((permission) => permission !== "api.projects.read") };
  expect(await catchRefusal(as(value).admin.organization.roles.update(role, change))).toMatchObject({
    status: 403,
    code: "own_ownership",
  });
  expect((await roles.update(role, change)).permissions).toEqual(change.permissions);
  expect(await catchRefusal(as(value).admin.organization.projects.list())).toMatchObject({
    status: 403,
    error: { permission: "api.projects.read" },
  });
});
