import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { startPostgres } from "@/lib/gateway/testing/postgres/postgres-cluster";
import { adminApi } from "../../support/clients/admin-api";
import { fetchWithKey } from "../../support/clients/send";
import { type Gateway, startGateway } from "../../support/programs/start-gateway";
import { withoutOwnVariables } from "../../support/programs/start-program";
import { writeConfiguration } from "../../support/programs/write-configuration";

const bucket =
  'outputs: { store: "s3://files", endpoint: "http://127.0.0.1:9", access_key_id: a, secret_access_key: b }';
const MODEL = "sandbox-echo";

let postgres: Awaited<ReturnType<typeof startPostgres>>;
let folder: string;
let env: Record<string, string>;

beforeAll(async () => {
  postgres = await startPostgres();
  folder = await mkdtemp(join(tmpdir(), "gatehouse-move-"));
  env = {
    GATEHOUSE_CONFIG: writeConfiguration(bucket),
    GATEHOUSE_SECRET: randomBytes(32).toString("base64"),
    GATEHOUSE_OPENING_BALANCE: "10.00",
    GATEHOUSE_DRAIN_SECONDS: "0",
  };
});
afterAll(async () => {
  await postgres?.stop();
  await rm(folder, { recursive: true, force: true });
});

const onFolder = (dataFolder: string) => startGateway({ ...env, GATEHOUSE_DATA: dataFolder });
const onPostgres = (url: string) => startGateway({ ...env, DATABASE_URL: url });

async function createDatabase(name: string): Promise<string> {
  const client = new pg.Client(postgres.url);
  await client.connect();
  await client.query(`CREATE DATABASE ${name} TEMPLATE template0 LOCALE 'C'`);
  await client.end();
  return postgres.url.replace(/\/postgres$/, `/${name}`);
}

async function move(to: string, source: Record<string, string>): Promise<{ code: number; text: string }> {
  const child = Bun.spawn([process.execPath, "lib/gateway/doctor/run.ts", "move", "--to", to], {
    env: { ...withoutOwnVariables(), ...source },
    stdout: "pipe",
    stderr: "pipe",
  });
  const text = (await new Response(child.stdout).text()) + (await new Response(child.stderr).text());
  return { code: await child.exited, text };
}

const call = async ({ baseUrl }: Gateway, key: string) =>
  (
    await fetchWithKey(`${baseUrl}/chat/completions`, {
      key,
      body: { model: MODEL, messages: [{ role: "user", content: "Hello" }] },
    })
  ).status;

/** What an admin sees: money, its entries, keys, limits and the audit log. */
async function readAll(gateway: Gateway, adminKey: string) {
  const { call: ask } = adminApi({ ...gateway, adminKey });
  const paths = ["/balance", "/ledger?limit=100", "/projects", "/roles", "/requests?limit=100"];
  const replies = await Promise.all(paths.map((path) => ask<object>("GET", path)));
  const { data } = await ask<{ data: { id: string }[] }>("GET", "/audit_logs?limit=100");
  return { replies, events: data.map(({ id }) => id) };
}

test("everything moves from a data folder to PostgreSQL and back: the same money, keys, limits and ids", async () => {
  const url = await createDatabase("moved");
  let gateway = await onFolder(folder);
  const { adminKey } = gateway;
  const api = adminApi(gateway);
  const project = await api.createProject("Moving");
  const { value: key } = await api.createKey(project.id, "Key");
  await api.saveRateLimit(project.id, MODEL, { max_requests_per_1_day: 4 });
  expect([await call(gateway, key), await call(gateway, key)]).toEqual([200, 200]);
  const before = await readAll(gateway, adminKey);
  expect(await move(url, { GATEHOUSE_DATA: folder })).toMatchObject({
    code: 1,
    text: expect.stringContaining("Another gateway uses"),
  });
  await gateway.stop();

  const there = await move(url, { GATEHOUSE_DATA: folder });
  expect(there).toEqual({ code: 0, text: expect.stringContaining("with the same ids") });
  expect(await move(url, { GATEHOUSE_DATA: folder })).toMatchObject({
    code: 1,
    text: expect.stringContaining("name an empty one"),
  });
  gateway = await onPostgres(url);
  expect(await readAll(gateway, adminKey)).toEqual(before);
  const back = join(folder, "back");
  expect(await move(back, { DATABASE_URL: url })).toMatchObject({
    code: 1,
    text: expect.stringContaining("stop all of them"),
  });
  expect([await call(gateway, key)]).toEqual([200]);
  const after = await readAll(gateway, adminKey);
  await gateway.stop();

  const returned = await move(back, { DATABASE_URL: url });
  expect(returned).toEqual({ code: 0, text: expect.stringContaining("with the same ids") });
  gateway = await onFolder(back);
  expect(await readAll(gateway, adminKey)).toEqual(after);
  // Two calls in the folder, one on PostgreSQL: one is left of four.
  expect([await call(gateway, key), await call(gateway, key)]).toEqual([200, 429]);
  await gateway.stop();
});

test("files in folders and a target that can't be used are refused, and nothing is left of the attempt", async () => {
  const source = join(folder, "with-files");
  await (await onFolder(source)).stop();
  expect(await move("postgres://gatehouse@127.0.0.1:9/none", { GATEHOUSE_DATA: source })).toMatchObject({
    code: 1,
    text: expect.stringContaining("can't be reached"),
  });

  await Bun.write(join(source, "files", "file_1", "0"), "an upload");
  const url = await createDatabase("refused");
  expect(await move(url, { GATEHOUSE_DATA: source })).toMatchObject({
    code: 1,
    text: expect.stringContaining("1 upload or result"),
  });
  await rm(join(source, "files"), { recursive: true });
  const forged = new Database(join(source, "gatehouse.sqlite"));
  forged.run("UPDATE accounts SET balance = balance - 1 WHERE name = 'balance'");
  forged.close();
  const faulty = await move(url, { GATEHOUSE_DATA: source });
  expect([faulty.code, faulty.text]).toEqual([1, expect.stringContaining("nothing was moved")]);
  expect(await move(join(source, "back"), { DATABASE_URL: url })).toMatchObject({ code: 1 });
  expect(existsSync(join(source, "back", "gatehouse.sqlite"))).toBe(false);
});
