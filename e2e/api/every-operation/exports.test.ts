import { expect, test } from "bun:test";
import { openSqlite } from "@/lib/gateway/database/open-sqlite";
import { fetchWithKey } from "../../support/clients/send";
import { serveForAll } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";
import { pagedLists } from "../../support/operations/paged-lists";
import { fillTables, ROWS } from "../../support/stored-data/fill-tables";

let gateway: ServedGateway;
/** The columns of each list before there was much to list, by path. */
const emptyHeads = new Map<string, string | undefined>();

const lists = pagedLists.filter(({ path }) => !/\{(user|group|prompt|request|conversation)_id\}/.test(path));
const fillAddress = (path: string) =>
  path
    .replace("{project_id}", gateway.projectId)
    .replace("{model_id}", "sandbox-echo")
    .replace("{permission}", "api.models.read");

serveForAll(async (served) => {
  gateway = served;
  await gateway.admin("POST", "/organization/projects", { name: '=HYPERLINK("http://x","y")' });
  for (const { path } of lists) emptyHeads.set(path, (await readLines(fillAddress(path), "text/csv"))[0]);
  await gateway.restart(async () => {
    using database = openSqlite(gateway.databasePath);
    fillTables(database, gateway.projectId);
  });
});

const ask = (path: string, accept: string, key = gateway.adminKey) =>
  fetchWithKey(`${gateway.baseUrl}${path}`, { key, headers: { accept } });

async function readLines(path: string, accept: string): Promise<string[]> {
  const reply = await ask(path, accept);
  expect([path, reply.status]).toEqual([path, 200]);
  return (await reply.text()).split(accept === "text/csv" ? "\r\n" : "\n").slice(0, -1);
}

test("the whole ledger comes as CSV and as lines of JSON, once each, with names, price and usage", async () => {
  const [head = "", ...rows] = await readLines("/organization/ledger", "text/csv");
  expect(head.split(",")).toEqual(
    expect.arrayContaining(["id", "project_name", "key_name", "price.rate", "prompt_tokens", "basis"]),
  );
  expect(rows).toHaveLength(ROWS + 1);
  const [first = ""] = rows;
  expect(first.split(",")).toContain("Default project");
  const readValue = (name: string) => first.split(",")[head.split(",").indexOf(name)] ?? "";
  expect(Date.parse(`${readValue("created_at_utc")}Z`)).toBe(Number(readValue("created_at")) * 1000);
  const objects = (await readLines("/organization/ledger", "application/x-ndjson")).map((line) =>
    JSON.parse(line),
  );
  expect(new Set(objects.map(({ id }) => id)).size).toBe(ROWS + 1);
  expect(await readLines("/organization/ledger?model=rare", "text/csv")).toHaveLength(3);
});

test("every list has an export of all it holds, with the same columns each time", async () => {
  expect(lists.length).toBeGreaterThan(20);
  for (const { path } of lists) {
    const [head, ...rows] = await readLines(fillAddress(path), "text/csv");
    expect([path, head, rows.length]).toEqual([path, emptyHeads.get(path), await countItems(path)]);
  }
  expect(await readLines("/organization/users", "text/csv")).toHaveLength(ROWS / 2 + 1);
});

/** The items on all pages of a list. */
async function countItems(path: string): Promise<number> {
  let items = 0;
  for (let after = ""; ; ) {
    const reply = await ask(`${fillAddress(path)}?limit=1000${after}`, "application/json");
    const page = (await reply.json()) as { data: object[]; last_id: string; has_more: boolean };
    items += page.data.length;
    if (!page.has_more) return items;
    after = `&after=${page.last_id}`;
  }
}

test("exports formulas as text", async () => {
  const lines = await readLines("/organization/projects", "text/csv");
  expect(lines.filter((line) => line.includes("HYPERLINK"))).toEqual([
    expect.stringContaining(`"'=HYPERLINK(""http://x"",""y"")"`),
  ]);
});

test("an export needs the same permission as its list, and isn't limited to a page", async () => {
  const refused = await ask("/organization/ledger", "text/csv", gateway.key);
  expect([refused.status, refused.headers.get("content-type")]).toEqual([
    403,
    expect.stringContaining("json"),
  ]);
  const paged = await ask("/organization/ledger?limit=5", "text/csv");
  expect([paged.status, JSON.parse(await paged.text()).error.param]).toEqual([400, "limit"]);
  const usual = await ask("/organization/ledger?limit=5", "application/json, text/csv");
  expect(usual.headers.get("content-type")).toContain("json");
});
