import { afterEach, beforeEach, expect, test } from "bun:test";
import type {
  AppliedConfiguration,
  ConfigurationPlan,
  ConfigurationUndo,
} from "@/lib/contract/operations/configuration/configuration";
import { send } from "../../support/clients/send";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";

let gateway: ServedGateway;
beforeEach(async () => {
  gateway = await serveGateway({ isExpectedFault: () => true });
});
afterEach(() => gateway.close());

interface Page<Item> {
  data: Item[];
}
const plan = (body: object) =>
  gateway.admin<ConfigurationPlan>("POST", "/organization/configuration/plan", body);
const apply = ({ id }: ConfigurationPlan, more: object = {}) =>
  gateway.admin<AppliedConfiguration>("POST", "/organization/configuration/apply", { plan_id: id, ...more });
const planFile = (file: object) => plan({ file: JSON.stringify(file) });
const exported = async () =>
  (
    await gateway.admin<{ content: { members: { email: string; groups?: string[] }[] } }>(
      "GET",
      "/organization/configuration?parts=members",
    )
  ).content.members;
const join = (token: string, name: string) =>
  gateway.admin("POST", "/organization/invites/accept", {
    token,
    name,
    password: "a long and rare passphrase 7",
  });

const ada = {
  email: "ada@example.com",
  roles: ["Reader"],
  groups: ["Leads"],
  projects: { Bot: ["Project member"] },
};
const file = (members: object[]) => ({
  groups: [{ name: "Leads", roles: [] }],
  projects: [{ name: "Default project" }, { name: "Bot" }],
  members,
});

test("members of a file are invited, join with their roles and groups, and are changed by it afterwards", async () => {
  const before = await exported();
  const planned = await planFile(file([...before, ada]));
  expect(planned.changes.map(({ id, kind, refusal }) => [id, kind, refusal])).toContainEqual([
    "members/ada%40example.com",
    "create",
    null,
  ]);
  expect((await gateway.admin<Page<object>>("GET", "/organization/invites")).data).toEqual([]);
  const { invitations } = await apply(planned);
  expect(invitations).toEqual([{ email: ada.email, token: expect.stringMatching(/^gi_/) }]);
  expect((await planFile(file([...before, ada]))).changes).toEqual([]);
  await join(invitations[0]?.token ?? "", "Ada");
  expect(await exported()).toContainEqual(ada);

  const changed = { ...ada, roles: ["Admin"], groups: [], projects: {} };
  await apply(await planFile({ members: [...before, changed] }));
  expect(await exported()).toContainEqual(changed);
  const removing = await planFile({ members: before });
  expect(removing.changes).toMatchObject([{ kind: "remove", path: ["members", ada.email] }]);
  await apply(removing, { remove: ["members/ada%40example.com"] });
  expect(await exported()).toEqual(before);
});

test("undo withdraws invitations, and leaves whoever has joined", async () => {
  const applied = await apply(
    await planFile(file([...(await exported()), ada, { email: "eve@example.com", roles: ["Reader"] }])),
  );
  const token = applied.invitations.find(({ email }) => email === ada.email)?.token ?? "";
  await join(token, "Ada");
  const { left } = await gateway.admin<ConfigurationUndo>(
    "POST",
    `/organization/configuration/applications/${applied.id}/undo`,
  );
  expect(left).toContainEqual({
    id: "members/ada%40example.com",
    path: ["members", ada.email],
    reason: "They have joined since.",
  });
  const emails = (await exported()).map(({ email }) => email);
  expect([emails.includes(ada.email), emails.includes("eve@example.com")]).toEqual([true, false]);
});

test("a CSV of members invites and changes, leaves others alone, and names faults by line", async () => {
  await apply(await planFile(file(await exported())));
  const csv =
    "email,role,groups,projects\nAda@example.com,reader,Leads,Bot: Project member\nbob@example.com,Owner,,\n";
  const { invitations } = await apply(await plan({ csv }));
  await join(invitations[0]?.token ?? "", "Ada");
  expect((await plan({ csv })).changes).toEqual([]);
  expect(await exported()).toContainEqual(ada);
  const edited = await plan({ csv: "email,roles,groups\nada@example.com,,none\n" });
  expect(edited.changes).toMatchObject([
    { path: ["members", ada.email], fields: [{ name: "groups", before: ["Leads"], after: [] }] },
  ]);
  await apply(edited);
  expect(await exported()).toContainEqual({ ...ada, groups: [] });
  const list = await fetch(`${gateway.baseUrl}/organization/users`, {
    headers: { authorization: `Bearer ${gateway.adminKey}`, accept: "text/csv" },
  });
  expect((await plan({ csv: await list.text() })).changes).toEqual([]);
  const wrong = await send(`${gateway.baseUrl}/organization/configuration/plan`, {
    method: "POST",
    key: gateway.adminKey,
    body: { csv: "email,role,groups\nnobody,reader,\nnew@example.com,,\nada@example.com,King,Nowhere\n" },
  });
  expect(wrong.error?.message?.split("\n").slice(1)).toEqual([
    'line 2: "nobody" is not an email address.',
    "line 3: new@example.com is invited with a role: name one.",
    'line 4: there is no role "King".',
    'line 4: there is no group "Nowhere".',
  ]);
});
