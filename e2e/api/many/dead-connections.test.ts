import { afterAll, beforeAll, expect, test } from "bun:test";
import pg from "pg";
import { PostgresListener } from "@/lib/gateway/changes/postgres-listener";
import { openTemporaryPostgres } from "@/lib/gateway/database/testing/open-temporary-postgres";
import { Ticks } from "@/lib/gateway/ledger/ticks/ticks";
import { fetchWithKey, send } from "../../support/clients/send";
import { until } from "../../support/clients/until";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";
import { startCutProxy } from "../../support/servers/cut-proxy";
import {
  chatCompletion,
  type ScriptedProvider,
  scriptedConfiguration,
  startScriptedProvider,
} from "../../support/servers/scripted-provider";

let store: Awaited<ReturnType<typeof openTemporaryPostgres>>;
let proxy: Awaited<ReturnType<typeof startCutProxy>>;
let provider: ScriptedProvider;
let databaseUrl: string;
let gateway: ServedGateway;

beforeAll(async () => {
  store = await openTemporaryPostgres();
  provider = startScriptedProvider();
  const { hostname, port, username, pathname } = new URL(store.url);
  proxy = await startCutProxy({ host: hostname, port: Number(port) });
  databaseUrl = `postgres://${username}@127.0.0.1:${proxy.port}${pathname}`;
  const bucket = `outputs: { store: "s3://files", endpoint: "http://127.0.0.1:9", access_key_id: a, secret_access_key: b }`;
  gateway = await serveGateway({
    databaseUrl,
    config: `${scriptedConfiguration(provider)}${bucket}\n`,
    hasRunningClock: true,
    isExpectedFault: () => true,
  });
}, 60_000);

afterAll(async () => {
  await gateway?.close();
  proxy?.stop();
  await provider?.stop();
  await store?.remove();
}, 60_000);

const answer = () => Response.json(chatCompletion("Hi", { prompt_tokens: 11, completion_tokens: 3 }));
const createKey = () =>
  send(`${gateway.baseUrl}/organization/projects/${gateway.projectId}/api_keys`, {
    method: "POST",
    key: gateway.adminKey,
    body: { name: "Another" },
  });
const readAudit = () => send(`${gateway.baseUrl}/organization/audit_logs`, { key: gateway.adminKey });
const call = async () => {
  const body = { model: "fake", max_tokens: 100, messages: [{ role: "user", content: "Hello" }] };
  const reply = await fetchWithKey(`${gateway.baseUrl}/chat/completions`, { key: gateway.key, body });
  await reply.text();
  return reply.status;
};

test("while PostgreSQL is beyond a partition, reads, changes and calls are refused, not left waiting", async () => {
  provider.answerWith(answer);
  expect([(await createKey()).status, (await readAudit()).status, await call()]).toEqual([200, 200, 200]);
  proxy.cut();
  const [changed, read, called] = await Promise.all([createKey(), readAudit(), call()]);
  proxy.mend();
  expect([changed.status, changed.error.code]).toEqual([503, "store_unavailable"]);
  expect([read.status, read.error.code]).toEqual([503, "store_unavailable"]);
  expect(called).toBe(503);
  await until("calls go on", async () => (await call()) === 200);
  expect((await createKey()).status).toBe(200);
}, 60_000);

test("connections that a router has forgotten are replaced, after refusals only", async () => {
  proxy.forget();
  const statuses = new Set<number>();
  const goesOn = async (ask: () => Promise<number>) => {
    const status = await ask();
    statuses.add(status);
    return status === 200;
  };
  await until("changes go on", () => goesOn(async () => (await createKey()).status));
  await until("reads go on", () => goesOn(async () => (await readAudit()).status));
  await until("calls go on", () => goesOn(call));
  expect([...statuses].toSorted()).toEqual([200, 503]);
}, 60_000);

test("who listens for changes hears them again after a router has forgotten its connection", async () => {
  let heard = 0;
  const listener = new PostgresListener(databaseUrl, () => heard++);
  await until("it hears", () => heard === 1);
  proxy.forget();
  await until("it listens again", () => heard === 2);
  const client = new pg.Client(store.url);
  await client.connect();
  await client.query("NOTIFY gatehouse_changes");
  await until("it hears the change", () => heard === 3);
  await client.end();
  await listener.close();
}, 60_000);

test("a gateway that is asked to stop doesn't wait for what it can't store beyond a partition", async () => {
  const ticks = new Ticks({
    url: databaseUrl,
    owner: "stopping",
    clock: { nowMs: Date.now, monotonicMs: () => performance.now() },
    feed: () => 0,
    onFigures() {},
    wasEnded: async () => false,
    undo() {},
    onFailure() {},
  });
  await ticks.open();
  proxy.cut();
  const nothing = { charge: 0n, late: 0, pair: null, give: null, slots: null, entries: [], uncharged: null };
  const end = { ...nothing, holdId: "", projectId: "", reply: null, taskEnd: null };
  const [ended] = await Promise.allSettled([ticks.end(end), ticks.close()]);
  proxy.mend();
  expect(ended).toMatchObject({ status: "rejected", reason: { code: "store_unavailable" } });
}, 60_000);
