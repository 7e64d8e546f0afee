import { expect, test } from "bun:test";
import { openSqlite } from "@/lib/gateway/database/open-sqlite";
import { joinMember } from "../../support/clients/join-member";
import { serveForAll } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";
import { fillTables, GROUP, ROWS } from "../../support/stored-data/fill-tables";

interface Page {
  readonly data: readonly { id?: string; group_id?: string; name?: string; email?: string }[];
  readonly has_more: boolean;
  readonly last_id: string;
}

let gateway: ServedGateway;

serveForAll(async (served) => {
  gateway = served;
  await gateway.restart(async () => {
    using database = openSqlite(gateway.databasePath);
    fillTables(database, gateway.projectId);
  });
});

const list = (path: string, query: Record<string, string>) =>
  gateway.admin<Page>("GET", `${path}?${new URLSearchParams(query)}`);

/** Lists that grow with the organization: the words of their newest and of their oldest listed row. */
const lists = (projectId: string) => {
  const project = `/organization/projects/${projectId}`;
  return [
    { path: "/organization/users", newest: `u${ROWS}@example`, oldest: `u${ROWS / 2 + 1}@example` },
    { path: "/organization/projects", newest: `P${ROWS}`, oldest: `p${ROWS / 2 + 1}` },
    { path: "/organization/groups", newest: `G${ROWS}`, oldest: "g1" },
    { path: `/organization/groups/${GROUP}/users`, newest: `U${ROWS}`, oldest: `u${ROWS / 2 + 1}@` },
    { path: `${project}/users`, newest: `U${ROWS}`, oldest: `U${ROWS / 2 + 2}` },
    { path: `${project}/groups`, newest: `G${ROWS - 1}`, oldest: `G${ROWS / 2 + 1}` },
    { path: `/projects/${projectId}/roles`, newest: `R${ROWS}`, oldest: "r10" },
    { path: `${project}/service_accounts`, newest: `S${ROWS}`, oldest: `s${ROWS / 2 + 1}` },
    { path: "/organization/admin_api_keys", newest: `A${ROWS}`, oldest: `a${ROWS / 2 + 1}` },
    { path: `${project}/api_keys`, newest: `K${ROWS}`, oldest: `k${ROWS / 2 + 1}`, isNewestFirst: true },
    {
      path: "/organization/invites",
      newest: `i${ROWS}@example.com`,
      oldest: `i${ROWS / 2 + 1}@`,
      isNewestFirst: true,
    },
  ];
};

const nameOf = (row: Page["data"][number] | undefined) =>
  Object.values(row ?? {})
    .filter((value) => typeof value === "string")
    .join(" ");

test("every list that grows has its newest row first, and a search finds its newest and its oldest row", async () => {
  for (const { path, newest, oldest, isNewestFirst = false } of lists(gateway.projectId)) {
    const first = await list(path, { limit: "1", ...(!isNewestFirst && { order: "desc" }) });
    const found = await list(path, { search: newest });
    expect([path, first.data.length, first.has_more]).toEqual([path, 1, true]);
    expect([path, found.data.map(nameOf)]).toEqual([path, [expect.stringContaining(newest)]]);
    expect([path, first.last_id >= found.last_id]).toEqual([path, true]);
    const matches = await list(path, { search: oldest, limit: "1" });
    expect([path, nameOf(matches.data[0]).toLowerCase()]).toEqual([
      path,
      expect.stringContaining(oldest.toLowerCase()),
    ]);
  }
});

test("a search with more matches than a page goes on after its last one, and has each word", async () => {
  const found: string[] = [];
  let after = "";
  for (;;) {
    const page = await list("/organization/users", {
      search: "EXAMPLE u1500",
      limit: "4",
      ...(after && { after }),
    });
    found.push(...page.data.map(({ name = "" }) => name));
    if (!page.has_more) break;
    after = page.last_id;
  }
  expect(found).toEqual(Array.from({ length: 10 }, (_, digit) => `U1500${digit}`));
});

test("a search for the beginning of an id finds that object alone, and one for nothing finds all", async () => {
  const id = `user_${String(ROWS).padStart(26, "0")}`;
  expect((await list("/organization/users", { search: id })).data.map((user) => user.id)).toEqual([id]);
  expect((await list("/organization/users", { search: "  ", limit: "1" })).has_more).toBe(true);
});

test("members are filtered by role, group, second factor and last sign-in", async () => {
  const { id } = await gateway.admin<{ id: string }>("POST", "/organization/groups", { name: "Auditors" });
  const members = await list("/organization/users", { limit: "3" });
  const [direct, through, other] = members.data.map((user) => user.id ?? "");
  await gateway.admin("POST", `/organization/users/${direct}/roles`, { role_id: "role_finance" });
  await gateway.admin("POST", `/organization/groups/${id}/roles`, { role_id: "role_finance" });
  await gateway.admin("POST", `/organization/groups/${id}/users`, { user_id: through });
  const idsOf = async (query: Record<string, string>) =>
    (await list("/organization/users", query)).data.map((user) => user.id);
  expect(await idsOf({ role_id: "role_finance" })).toEqual([direct, through]);
  expect(await idsOf({ group_id: id })).toEqual([through]);
  expect(await idsOf({ two_factor: "true" })).toEqual([]);
  expect((await idsOf({ two_factor: "false" }))[2]).toBe(other);
  expect((await idsOf({ not_signed_in_since: "1900000000" }))[0]).toBe(direct);
  const joined = await joinMember(gateway, "joined@example.com");
  expect(await idsOf({ not_signed_in_since: "1", search: "joined@" })).toEqual([]);
  const { last_signed_in_at } = await gateway.admin<{ last_signed_in_at: number | null }>(
    "GET",
    `/organization/users/${joined.id}`,
  );
  expect(last_signed_in_at).toEqual(expect.any(Number));
});

test("open invitations leave out accepted ones, and an expired one whose address was invited again", async () => {
  const email = `i${ROWS}@example.com`;
  const { id } = await gateway.admin<{ id: string }>("POST", "/organization/invites", {
    email,
    role: "reader",
    projects: [],
  });
  expect((await list("/organization/invites", { search: email })).data).toHaveLength(2);
  expect(
    (await list("/organization/invites", { search: email, open: "true" })).data.map((one) => one.id),
  ).toEqual([id]);
  expect((await list("/organization/invites", { search: "i1@", open: "true" })).data).toEqual([]);
});
