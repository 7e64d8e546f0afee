import { expect, test } from "bun:test";
import { joinMember } from "../../support/clients/join-member";
import { fetchWithKey } from "../../support/clients/send";
import { serveForAll } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";

let gateway: ServedGateway;

serveForAll((served) => {
  gateway = served;
});

interface RequestOptions {
  readonly key?: string;
  readonly body?: object;
  readonly ifMatch?: string;
  readonly ifNoneMatch?: string;
}

async function ask(
  method: string,
  path: string,
  { key = gateway.adminKey, body, ifMatch, ifNoneMatch }: RequestOptions = {},
) {
  const reply = await fetchWithKey(`${gateway.baseUrl}${path}`, {
    method,
    key,
    body,
    headers: {
      ...(ifMatch !== undefined && { "if-match": ifMatch }),
      ...(ifNoneMatch !== undefined && { "if-none-match": ifNoneMatch }),
    },
  });
  return { status: reply.status, tag: reply.headers.get("etag") ?? "", json: JSON.parse(await reply.text()) };
}

const limits = () => `/organization/projects/${gateway.projectId}/rate_limits`;

test("an object has the same version when it is read, listed, created and changed", async () => {
  const created = await ask("POST", "/organization/projects", { body: { name: "Versions" } });
  const path = `/organization/projects/${created.json.id}`;
  const read = await ask("GET", path);
  const list = await ask("GET", "/organization/projects");
  const listed = list.json.data.find(({ id }: { id: string }) => id === created.json.id);
  expect(created.tag).toBe(`"${created.json.version}"`);
  expect([read.tag, `"${listed.version}"`]).toEqual([created.tag, created.tag]);
  const changed = await ask("POST", path, { body: { name: "Versions 2" } });
  expect(changed.tag).not.toBe(created.tag);
  expect((await ask("GET", path)).tag).toBe(changed.tag);
  expect((await ask("POST", path, { body: { name: "Versions" } })).tag).toBe(created.tag);
});

test("a stale save changes nothing and shows the present object; without a version the last one wins", async () => {
  const path = `${limits()}/rl_sandbox-echo`;
  const seen = await ask("GET", path);
  await ask("POST", path, { body: { max_requests_per_1_minute: 222 }, ifMatch: seen.tag });
  const stale = await ask("POST", path, { body: { max_requests_per_1_minute: 111 }, ifMatch: seen.tag });
  expect([stale.status, stale.json.error.type, stale.json.error.code]).toEqual([
    412,
    "conflict_error",
    "stale_version",
  ]);
  expect(stale.json.error.current.max_requests_per_1_minute).toBe(222);
  const present = await ask("GET", path);
  expect(stale.json.error.current).toEqual(present.json);
  expect(stale.tag).toBe(present.tag);
  const last = await ask("POST", path, { body: { max_requests_per_1_minute: 333 } });
  expect([last.status, last.json.max_requests_per_1_minute]).toEqual([200, 333]);
});

test("If-Match takes *, lists and no weak tag", async () => {
  const path = `${limits()}/rl_sandbox-chat`;
  const body = { max_requests_per_1_minute: 5 };
  const { tag } = await ask("POST", path, { body });
  const postStatus = async (ifMatch: string) => (await ask("POST", path, { body, ifMatch })).status;
  expect(await postStatus("*")).toBe(200);
  expect(await postStatus(`"other", ${tag}`)).toBe(200);
  expect(await postStatus(`W/${tag}`)).toBe(412);
  expect(await postStatus('"other"')).toBe(412);
  const malformed = await ask("POST", path, { body, ifMatch: tag.slice(1, -1) });
  expect([malformed.status, malformed.json.error.param]).toEqual([400, "If-Match"]);
});

test("of 20 saves of one version at once exactly one is made", async () => {
  const path = `${limits()}/rl_sandbox-echo`;
  const { tag } = await ask("GET", path);
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      ask("POST", path, { body: { max_requests_per_1_minute: 1000 + index }, ifMatch: tag }),
    ),
  );
  const won = replies.filter(({ status }) => status === 200);
  expect(won).toHaveLength(1);
  expect(replies.filter(({ status }) => status === 412)).toHaveLength(19);
  expect((await ask("GET", path)).json).toEqual(won[0]?.json);
});

test("checks the version of deletions and of first saves too", async () => {
  const project = await ask("POST", "/organization/projects", { body: { name: "Limits" } });
  const path = `/organization/projects/${project.json.id}/spend_limit`;
  const body = { currency: "USD", interval: "month", threshold_amount: 100 };
  const missing = await ask("POST", path, { body, ifMatch: "*" });
  expect([missing.status, missing.json.error.current]).toEqual([412, null]);
  const { tag } = await ask("POST", path, { body });
  await ask("POST", path, { body: { ...body, threshold_amount: 200 } });
  const kept = await ask("DELETE", path, { ifMatch: tag });
  expect([kept.status, kept.json.error.current.threshold_amount]).toEqual([412, 200]);
  expect((await ask("DELETE", path, { ifMatch: (await ask("GET", path)).tag })).status).toBe(200);
  const archive = `/organization/projects/${project.json.id}/archive`;
  expect((await ask("POST", archive, { ifMatch: tag })).status).toBe(412);
  expect((await ask("POST", archive, { ifMatch: project.tag })).status).toBe(200);
  expect(
    (await ask("POST", "/organization/roles/role_none", { body: { role_name: "x" }, ifMatch: "*" })).status,
  ).toBe(404);
});

test("use does not change the version", async () => {
  const created = await ask("POST", "/organization/admin_api_keys", { body: { name: "Used" } });
  const path = `/organization/admin_api_keys/${created.json.id}`;
  await ask("GET", "/organization/me", { key: created.json.value });
  const used = await ask("GET", path);
  expect(used.json.last_used_at).not.toBeNull();
  expect(used.tag).toBe(created.tag);
});

test("a refusal does not show the object to a caller who may not read it", async () => {
  const role = await ask("POST", "/organization/roles", {
    body: { role_name: "Writer", permissions: ["api.rate_limits.write"] },
  });
  const writer = await ask("POST", "/organization/admin_api_keys", {
    body: { name: "Writer", role: role.json.id },
  });
  const stale = await ask("POST", `${limits()}/rl_sandbox-echo`, {
    key: writer.json.value,
    body: { max_requests_per_1_minute: 1 },
    ifMatch: '"old"',
  });
  expect(stale.status).toBe(412);
  expect(stale.json.error).not.toHaveProperty("current");
});

/** Where a holder is edited or removed, and where roles are assigned one by one. */
const holders: Readonly<Record<string, () => Promise<{ path: string; roles: string; role: string }>>> = {
  "a member": async () => {
    const { id } = await joinMember(gateway, "two-tabs@example.com");
    const path = `/organization/users/${id}`;
    return { path, roles: `${path}/roles`, role: "role_finance" };
  },
  "a member of a project": async () => {
    const { id } = await joinMember(gateway, "project-tabs@example.com");
    const project = `/projects/${gateway.projectId}`;
    await ask("POST", `/organization${project}/users`, { body: { user_id: id, role: "viewer" } });
    return {
      path: `/organization${project}/users/${id}`,
      roles: `${project}/users/${id}/roles`,
      role: "role_project_member",
    };
  },
  "a group in a project": async () => {
    const { json: group } = await ask("POST", "/organization/groups", { body: { name: "Tabs" } });
    const project = `/projects/${gateway.projectId}`;
    await ask("POST", `/organization${project}/groups`, { body: { group_id: group.id, role: "viewer" } });
    return {
      path: `/organization${project}/groups/${group.id}`,
      roles: `${project}/groups/${group.id}/roles`,
      role: "role_project_member",
    };
  },
};

test.each(Object.entries(holders))("who takes %s's roles away has seen all of them", async (_, make) => {
  const { path, roles, role } = await make();
  const seen = await ask("GET", path);
  // Somebody else assigns a second role, beside the one that stays.
  expect((await ask("POST", roles, { body: { role_id: role } })).status).toBe(200);
  const removal = await ask("DELETE", path, { ifMatch: seen.tag });
  expect([removal.status, removal.json.error.current.roles]).toEqual([412, expect.arrayContaining([role])]);
  if (!path.includes("/groups/")) {
    const edit = await ask("POST", path, { body: { role: "reader" }, ifMatch: seen.tag });
    expect([edit.status, edit.json.error.code]).toEqual([412, "stale_version"]);
  }
  await ask("DELETE", `${roles}/${role}`);
  expect((await ask("GET", path)).tag).toBe(seen.tag);
  expect((await ask("DELETE", path, { ifMatch: seen.tag })).status).toBe(200);
});

test("of two first saves that say so, the second is told of the first", async () => {
  const path = "/organization/spend_limit";
  const save = (threshold_amount: number, ifNoneMatch?: string) =>
    ask("POST", path, {
      body: { currency: "USD", interval: "month", threshold_amount },
      ...(ifNoneMatch !== undefined && { ifNoneMatch }),
    });
  expect((await save(100_00, "*")).status).toBe(200);
  const second = await save(9_000_00, "*");
  expect([second.status, second.json.error.code, second.json.error.param]).toEqual([
    412,
    "stale_version",
    "If-None-Match",
  ]);
  expect(second.json.error.current.threshold_amount).toBe(100_00);
  expect((await ask("GET", path)).json.threshold_amount).toBe(100_00);
  const malformed = await save(1, '"other"');
  expect([malformed.status, malformed.json.error.param]).toEqual([400, "If-None-Match"]);
});
