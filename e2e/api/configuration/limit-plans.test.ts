import { expect, test } from "bun:test";
import { stringify } from "yaml";
import type { ConfigurationPlan } from "@/lib/contract/operations/configuration/configuration";
import { serveForAll } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";

let gateway: ServedGateway;
serveForAll((served) => {
  gateway = served;
});

const plan = (file: object) =>
  gateway.admin<ConfigurationPlan>("POST", "/organization/configuration/plan", { file: stringify(file) });
const apply = ({ id: plan_id }: ConfigurationPlan, more: object = {}) =>
  gateway.admin("POST", "/organization/configuration/apply", { plan_id, ...more });
const ids = ({ changes }: ConfigurationPlan) =>
  changes.map(({ id, kind, origin }) => `${origin} ${kind} ${id}`);

test("plans of limits are made, followed, narrowed and left by the file; a change made here is kept or taken back", async () => {
  await gateway.admin("POST", "/organization/projects", { name: "One" });
  const [first] = (await gateway.admin<{ data: { name: string }[] }>("GET", "/organization/projects")).data;
  const limitsOfOne = async () => {
    const { data } = await gateway.admin<{ data: { id: string; name: string }[] }>(
      "GET",
      "/organization/projects",
    );
    const one = data.find(({ name }) => name === "One");
    return gateway.admin<object>("GET", `/organization/projects/${one?.id}/rate_limits/rl_sandbox-echo`);
  };
  const file = (perMinute: number) => ({
    limit_plans: [{ name: "Trial", rate_limits: { "*": { max_requests_per_1_minute: perMinute } } }],
  });
  const projects = (limit_plan: string | null) => ({
    projects: [{ name: first?.name }, { name: "One", limit_plan }],
  });
  await apply(await plan({ ...file(10), ...projects("Trial") }));
  expect(await limitsOfOne()).toMatchObject({ max_requests_per_1_minute: 10, own_fields: [] });
  expect(ids(await plan(file(20)))).toEqual(["file update limit_plans/Trial/rate_limits/*"]);
  gateway.pass(1_000);
  await apply(await plan(file(20)));
  expect(await limitsOfOne()).toMatchObject({ max_requests_per_1_minute: 20 });
  const [{ id = "" } = {}] = (
    await gateway.admin<{ data: { id: string }[] }>("GET", "/organization/rate_limits/plans")
  ).data;
  await gateway.admin("POST", "/organization/rate_limits/changes", {
    changes: [{ plan_id: id, model: null, max_requests_per_1_minute: 30 }],
  });
  const here = await plan(file(20));
  expect(ids(here)).toEqual(["here update limit_plans/Trial/rate_limits/*#max_requests_per_1_minute"]);
  await apply(here, { back: [here.changes[0]?.id] });
  expect(await limitsOfOne()).toMatchObject({ max_requests_per_1_minute: 20 });
  const unknown = await plan(projects("Nowhere"));
  expect(unknown.changes.map(({ refusal }) => refusal?.message)).toEqual([
    expect.stringContaining('There is no plan of rate limits "Nowhere"'),
  ]);
  const removal = await plan({ limit_plans: [] });
  expect(ids(removal)).toEqual(["file remove limit_plans/Trial"]);
  await apply(removal, { remove: ["limit_plans/Trial"] });
  expect(await limitsOfOne()).toMatchObject({ max_requests_per_1_minute: 600, own_fields: [] });
});
