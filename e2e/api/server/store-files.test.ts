import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  copyFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { examine } from "@/lib/gateway/doctor/examine-outputs";
import { fetchWithKey } from "../../support/clients/send";
import { until } from "../../support/clients/until";
import { createProjectKey } from "../../support/programs/create-project-key";
import { type Gateway, startGateway } from "../../support/programs/start-gateway";
import { writeConfiguration } from "../../support/programs/write-configuration";
import {
  type ScriptedProvider,
  scriptedConfiguration,
  startScriptedProvider,
} from "../../support/servers/scripted-provider";

const DATABASE = "gatehouse.sqlite";
const FILES = [DATABASE, `${DATABASE}-wal`, `${DATABASE}-shm`];

let provider: ScriptedProvider;
let gateway: Gateway;
let key: string;

beforeEach(async () => {
  provider = startScriptedProvider();
  provider.answerWith(() =>
    Response.json({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } }),
  );
  gateway = await startGateway({ GATEHOUSE_CONFIG: writeConfiguration(scriptedConfiguration(provider)) });
  key = await createProjectKey(gateway);
});

afterEach(async () => {
  await gateway.stop();
  await provider.stop();
});

const at = (name: string) => join(gateway.dataFolder, name);

async function call(url = gateway.baseUrl): Promise<number> {
  const reply = await fetchWithKey(`${url}/chat/completions`, {
    key,
    body: { model: "fake", messages: [{ role: "user", content: "Hello" }] },
  });
  await reply.text();
  return reply.status;
}

const createProject = () =>
  fetchWithKey(`${gateway.baseUrl}/organization/projects`, {
    key: gateway.adminKey,
    body: { name: "Another" },
  });

async function untilReady(status: number): Promise<void> {
  await until(
    `/readyz replies ${status}`,
    async () => (await fetch(`${gateway.url}/readyz`)).status === status,
  );
}

const startAgain = (signal?: NodeJS.Signals) =>
  gateway.restart(signal).then(
    () => "started",
    (error: unknown) => String(error),
  );

test.each([
  ["all of it", FILES],
  ["its log alone", [`${DATABASE}-wal`]],
])(
  "a store that is deleted, %s, refuses every call and change, and does not begin anew",
  async (_what, files) => {
    expect(await call()).toBe(200);
    for (const name of files) rmSync(at(name));
    await untilReady(503);
    expect(await Promise.all(Array.from({ length: 21 }, () => call()))).toEqual(Array(21).fill(503));
    expect((await createProject()).status).toBe(503);
    expect(provider.visits).toHaveLength(1);
    expect(
      gateway.output().split("was deleted or replaced while the gateway was running").length,
    ).toBeLessThan(5);
    if (files.length === 1) return;
    const refused = await startAgain("SIGKILL");
    expect(refused).toContain(
      "is missing or empty, and this folder was used before: put a backup in its place",
    );
    expect(refused).not.toContain("    at ");
  },
);

test("a store that is put back is written again", async () => {
  for (const name of FILES) renameSync(at(name), at(`${name}.away`));
  await untilReady(503);
  expect(await call()).toBe(503);
  for (const name of FILES) renameSync(at(`${name}.away`), at(name));
  await untilReady(200);
  expect(await call()).toBe(200);
  expect(examine(at(DATABASE), Date.now()).flatMap(({ faults }) => faults)).toEqual([]);
});

test("another gateway that gets into the folder past its lock is the only one from then on", async () => {
  expect(await call()).toBe(200);
  rmSync(at("lock"));
  const other = await startGateway({ GATEHOUSE_DATA: gateway.dataFolder });
  try {
    await untilReady(503);
    expect(await call()).toBe(503);
    expect((await createProject()).status).toBe(503);
    expect(provider.visits).toHaveLength(1);
    expect(gateway.output()).toContain("Another gateway has taken");
    expect((await fetch(`${other.url}/readyz`)).status).toBe(200);
    expect(examine(at(DATABASE), Date.now()).flatMap(({ faults }) => faults)).toEqual([]);
  } finally {
    await other.stop();
  }
});

test.each([
  ["empty", () => truncateSync(at(DATABASE), 0), "is missing or empty"],
  [
    "no database",
    () => writeFileSync(at(DATABASE), "Not a database. ".repeat(512)),
    "is damaged, or no database",
  ],
  [
    "of a newer version",
    () => {
      using database = new Database(at(DATABASE));
      database.run("INSERT INTO kysely_migration VALUES ('9999-later', '2030-01-01')");
    },
    'newer version of Gatehouse, which added "9999-later"',
  ],
  [
    "too old",
    () => {
      using database = new Database(at(DATABASE));
      database.run("DELETE FROM kysely_migration");
      database.run("INSERT INTO kysely_migration VALUES ('0095-used-states', '2026-01-01')");
    },
    "early version of Gatehouse, which this one can't upgrade: start Gatehouse of commit",
  ],
])("a database that is %s ends the start in a sentence", async (_what, spoil, sentence) => {
  await gateway.restart();
  process.kill(gateway.pid(), "SIGKILL");
  await until("the gateway has ended", () => !isAlive(gateway.pid()));
  for (const name of FILES.slice(1)) rmSync(at(name), { force: true });
  spoil();
  const refused = await startAgain();
  expect(refused).toContain(sentence);
  expect(refused).not.toContain("    at ");
});

test("doctor reports a truncated log, and the gateway refuses to start without its lost entries", async () => {
  expect(await call()).toBe(200);
  await gateway.restart();
  copyFileSync(at(DATABASE), at("before"));
  for (let calls = 0; calls < 3; calls++) expect(await call()).toBe(200);
  await gateway.restart();
  process.kill(gateway.pid(), "SIGKILL");
  await until("the gateway has ended", () => !isAlive(gateway.pid()));
  for (const name of FILES) rmSync(at(name), { force: true });
  renameSync(at("before"), at(DATABASE));
  const faults = examine(at(DATABASE), Date.now()).flatMap((finding) => finding.faults);
  expect(faults.join()).toContain("behind the head kept beside it: 3 of its 5 entries are missing");
  expect(await startAgain()).toContain("is not what it was: 3 of its 5 entries are missing");
  rmSync(at("store-head"));
  expect(await startAgain()).toBe("started");
  expect(await call()).toBe(200);
});

test("stores files that only their owner can read", async () => {
  expect(await call()).toBe(200);
  expect(statSync(gateway.dataFolder).mode & 0o777).toBe(0o700);
  const open = readdirSync(gateway.dataFolder).filter((name) => (statSync(at(name)).mode & 0o077) !== 0);
  expect(open).toEqual([]);
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
