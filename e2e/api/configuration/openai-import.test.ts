import { afterEach, beforeEach, expect, test } from "bun:test";
import type {
  AppliedConfiguration,
  ConfigurationPlan,
} from "@/lib/contract/operations/configuration/configuration";
import { send } from "../../support/clients/send";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";
import { standInOrganization, startOpenaiAdminServer } from "../../support/servers/openai-admin-server";

let gateway: ServedGateway;
beforeEach(async () => {
  gateway = await serveGateway({ isExpectedFault: () => true });
});
afterEach(() => gateway.close());

interface Planned {
  readonly status: number;
  readonly body: ConfigurationPlan;
  readonly error?: { readonly param: string; readonly message: string };
}
const plan = async ({ baseUrl, key }: { baseUrl: string; key: string }, admin_key = key) =>
  (await send(`${gateway.baseUrl}/organization/configuration/openai_import`, {
    method: "POST",
    key: gateway.adminKey,
    body: { admin_key, base_url: baseUrl },
  })) as unknown as Planned;
const exported = async () =>
  (
    await gateway.admin<{ content: Record<string, Record<string, unknown>[]> }>(
      "GET",
      "/organization/configuration?parts[]=projects&parts[]=roles&parts[]=groups&parts[]=members",
    )
  ).content;

test("an organization is planned page by page past busy answers, brought in one apply, and is the same then", async () => {
  const before = await exported();
  // Every third request is told to wait.
  await using server = await startOpenaiAdminServer(standInOrganization, (_, visit) =>
    visit % 3 === 0 ? { status: 429, headers: { "retry-after-ms": "1" }, body: "{}" } : undefined,
  );
  const { status, body, error } = await plan(server);
  expect([status, error?.message]).toEqual([200, undefined]);
  expect(await exported()).toEqual(before);
  expect(body.changes.map(({ refusal }) => refusal)).toEqual(body.changes.map(() => null));
  expect(body.no_counterpart.map(({ what }) => what)).toEqual([
    "Role Support lead",
    "Limits of gpt-unknown",
    "Models of Search: gpt-unknown",
    "Service accounts of Search: 1",
    "Member user_3",
    "API keys, certificates, data retention",
  ]);
  const applied = await gateway.admin<AppliedConfiguration>("POST", "/organization/configuration/apply", {
    plan_id: body.id,
  });
  expect(applied.invitations.map(({ email }) => email).toSorted()).toEqual([
    "ada@example.com",
    "bob@example.com",
    "eve@example.com",
  ]);
  const { projects = [], roles, groups, members } = await exported();
  expect(projects.find(({ name }) => name === "Search")).toEqual({
    name: "Search",
    models: ["sandbox-echo"],
    spend_limit: "450.00",
    rate_limits: {
      "sandbox-chat": { max_requests_per_1_minute: 80, max_tokens_per_1_minute: 5000 },
      "sandbox-echo": { max_requests_per_1_minute: 70, max_tokens_per_1_minute: 5000 },
    },
  });
  expect(projects.map(({ name }) => name)).not.toContain("Gone");
  expect(roles).toEqual([{ name: "Support lead", permissions: ["api.users.read"] }]);
  expect(groups).toContainEqual({
    name: "Leads",
    roles: ["Support lead"],
    projects: { Search: ["Project member"] },
  });
  expect(members).toContainEqual({
    email: "bob@example.com",
    roles: ["Reader"],
    groups: ["Leads"],
    projects: { Search: ["Project owner"] },
  });
  expect(members).toContainEqual(expect.objectContaining({ email: "ada@example.com", roles: ["Owner"] }));
  expect((await plan(server)).body.changes).toEqual([]);
  expect(new Set(server.visits.map(({ method }) => method))).toEqual(new Set(["GET"]));
});

test("a refused key, an odd answer and a server that fails half-way plan nothing and say why", async () => {
  await using server = await startOpenaiAdminServer(standInOrganization);
  const wrong = await plan(server, "sk-wrong");
  expect([wrong.status, wrong.error?.param]).toEqual([400, "admin_key"]);
  expect(wrong.error?.message).not.toContain("sk-wrong");

  const gone = await startOpenaiAdminServer(standInOrganization);
  gone.close();
  const down = await plan(gone);
  expect([down.status, down.error?.param]).toEqual([502, "base_url"]);
  expect(down.error?.message).toStartWith("/organization/projects can't be read");

  await using failing = await startOpenaiAdminServer(standInOrganization, (path) =>
    path.endsWith("/proj_b/users") ? { body: "<html>" } : undefined,
  );
  const half = await plan(failing);
  expect([half.status, half.error?.message]).toEqual([
    502,
    "/organization/projects/proj_b/users answers with something else than JSON. Nothing was planned: check base_url, or try again later.",
  ]);

  const odd = { ...standInOrganization, users: [{ id: 7 } as never, ...standInOrganization.users] };
  await using strange = await startOpenaiAdminServer(odd, (path) =>
    path === "/organization/groups" ? { status: 404, body: "{}" } : undefined,
  );
  const { body } = await plan(strange);
  const what = body.no_counterpart.map((one) => one.what);
  expect(what).toContain("Members: 1");
  expect(what).toContain("Groups");

  await using endless = await startOpenaiAdminServer(standInOrganization, (path) =>
    path === "/organization/roles" ? { body: JSON.stringify({ data: [{}], has_more: true }) } : undefined,
  );
  expect((await plan(endless)).error?.message).toStartWith("/organization/roles names no next page");
});

test("the admin key is stored nowhere, and a private address needs the operator's word", async () => {
  await using server = await startOpenaiAdminServer(standInOrganization);
  expect((await plan(server)).status).toBe(200);
  const { readdir, readFile } = await import("node:fs/promises");
  const files = (await readdir(gateway.dataFolder, { recursive: true, withFileTypes: true })).filter((one) =>
    one.isFile(),
  );
  for (const one of files)
    expect((await readFile(`${one.parentPath}/${one.name}`)).includes(server.key)).toBe(false);
  const { status, error } = await plan({ baseUrl: "http://10.0.0.1/v1", key: "sk-x" });
  expect([status, error?.param]).toEqual([400, "base_url"]);
});
