import { afterAll, beforeAll, expect, test } from "bun:test";
import { operationTable } from "@/lib/contract/operation-table";
import { openSqlite } from "@/lib/gateway/store/open-sqlite";
import { fetchWithKey } from "../../support/clients/send";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";
import { fillTables, ROWS } from "../../support/stored-data/fill-tables";

let gateway: ServedGateway;

beforeAll(async () => {
  gateway = await serveGateway();
  await gateway.admin("POST", "/organization/projects", { name: '=HYPERLINK("http://x","y")' });
  await gateway.restart(async () => {
    using database = openSqlite(gateway.databasePath);
    fillTables(database, gateway.projectId);
  });
}, 60_000);

afterAll(() => gateway.close());

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
  const lists = operationTable.filter(
    ({ id, reply }) => id.startsWith("list") && "last_id" in findShape(reply),
  );
  expect(lists.length).toBeGreaterThan(20);
  for (const { path } of lists.filter((list) => !/\{(user|group|prompt)_id\}/.test(list.path))) {
    const address = path.replace("{project_id}", gateway.projectId).replace("{model_id}", "sandbox-echo");
    const [head = ""] = await readLines(address, "text/csv");
    expect(head.split(",").length).toBeGreaterThan(2);
  }
  expect(await readLines("/organization/users", "text/csv")).toHaveLength(ROWS / 2 + 1);
});

function findShape(schema: object): object {
  return "shape" in schema && typeof schema.shape === "object" ? (schema.shape ?? {}) : {};
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
