import { afterEach, beforeEach, expect, test } from "bun:test";
import type {
  AppliedChange,
  AppliedConfiguration,
  ConfigurationPlan,
} from "@/lib/contract/operations/configuration/configuration";
import { send } from "../../support/clients/send";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";

let gateway: ServedGateway;
beforeEach(async () => {
  gateway = await serveGateway({ isExpectedFault: () => true });
});
afterEach(() => gateway.close());

type Content = Record<string, Record<string, unknown>[]>;
const read = async (query = "") =>
  (await gateway.admin<{ content: Content }>("GET", `/organization/configuration${query}`)).content;
const ask = (path: string, body?: object) =>
  send(`${gateway.baseUrl}${path}`, {
    method: body ? "POST" : "GET",
    key: gateway.adminKey,
    ...(body && { body }),
  });
const plan = (body: object) =>
  gateway.admin<ConfigurationPlan>("POST", "/organization/configuration/plan", body);
const apply = ({ id }: ConfigurationPlan, more: object = {}) =>
  gateway.admin<AppliedConfiguration>("POST", "/organization/configuration/apply", { plan_id: id, ...more });
/** The present second, after which others pass. */
const moment = () => {
  const at = Math.floor(gateway.runtime.clock.nowMs() / 1000);
  gateway.pass(5_000);
  return at;
};

const price = { input_per_1m: "1.00", output_per_1m: "2.00" };
const settings = (limit: number, rate: string, permissions: string[]) => ({
  models: [
    { id: "near", family: "chat", rate, price, routes: [{ provider: "sandbox", model: "sandbox-echo" }] },
  ],
  roles: [{ name: "Lead", permissions }],
  groups: [{ name: "Leads", roles: ["Lead"] }],
  organization: { spend_limit: `${limit}.00` },
});
const limits = (limit: number) =>
  gateway.admin("POST", `/organization/projects/${gateway.projectId}/rate_limits/rl_sandbox-echo`, {
    max_requests_per_1_minute: limit,
  });
const inFile = (content: Content) => ({
  limit: (content.projects?.[0]?.rate_limits as Record<string, object> | undefined)?.["sandbox-echo"],
  rate: content.models?.[0]?.rate,
  permissions: content.roles?.[0]?.permissions,
  groups: content.groups?.map(({ name, roles }) => [name, roles]),
});

test("limits, prices, roles and access are told as they were, compared, and go back as a plan", async () => {
  const empty = moment();
  await apply(await plan({ file: JSON.stringify(settings(500, "1.2", ["api.users.read"])) }));
  await limits(70);
  const first = moment();
  await apply(await plan({ file: JSON.stringify(settings(900, "1.5", ["api.roles.read"])) }));
  await limits(80);
  await gateway.admin("POST", "/organization/projects", { name: "Later" });
  const [group] = (await gateway.admin<{ data: { id: string }[] }>("GET", "/organization/groups")).data;
  await send(`${gateway.baseUrl}/organization/groups/${group?.id}`, {
    method: "DELETE",
    key: gateway.adminKey,
  });
  const last = moment();
  const now = await read();

  const past = await read(`?at=${first}`);
  expect(inFile(past)).toEqual({
    limit: { max_requests_per_1_minute: 70 },
    rate: "1.20",
    permissions: ["api.users.read"],
    groups: [["Leads", ["Lead"]]],
  });
  expect(past.organization).toMatchObject({ spend_limit: "500.00" });
  expect(past.projects).toHaveLength(1);
  expect(inFile(await read(`?at=${empty}`))).toMatchObject({
    limit: undefined,
    permissions: undefined,
    groups: [],
  });
  expect(inFile(await read(`?at=${last}`))).toEqual(inFile(now));
  expect(await read()).toEqual(now);

  const { changes } = await gateway.admin<{ changes: AppliedChange[] }>(
    "GET",
    `/organization/configuration/changes?from=${first}&until=${last}`,
  );
  expect(changes.map(({ kind, path }) => `${kind} ${path.join("/")}`).toSorted()).toEqual(
    [
      "create projects/Later",
      "remove groups/Leads",
      "update models/near",
      "update organization/spend_limit",
      `update projects/${past.projects?.[0]?.name}/rate_limits/sandbox-echo`,
      "update roles/Lead",
    ].toSorted(),
  );
  const back = await plan({ at: first });
  expect([back.source, back.changes.map(({ refusal }) => refusal)]).toEqual([
    "past",
    back.changes.map(() => null),
  ]);
  await apply(back, { remove: ["projects/Later"] });
  expect(inFile(await read())).toEqual(inFile(past));
  expect((await plan({ at: first })).changes).toEqual([]);
});

test("a moment in the future, a part that isn't kept and a missing permission are refused by name", async () => {
  const at = moment();
  const refuse = async (path: string, body?: object) => {
    const { status, error } = await ask(path, body);
    return [status, error?.param ?? error?.permission];
  };
  expect(await refuse(`/organization/configuration?at=${at + 3_600}`)).toEqual([400, "at"]);
  expect(await refuse(`/organization/configuration?at=${at}&parts=providers`)).toEqual([400, "parts"]);
  expect(await refuse(`/organization/configuration/changes?from=${at}&until=${at - 1}`)).toEqual([
    400,
    "until",
  ]);
  expect(await refuse("/organization/configuration/plan", { at, file: "roles: []" })).toEqual([400, "file"]);
  expect(await refuse("/organization/configuration/plan", { file: "roles: []", parts: ["roles"] })).toEqual([
    400,
    "parts",
  ]);
});
