import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { toFile } from "openai";
import { DAY_MS, MINUTE_MS } from "@/lib/contract/durations";
import { joinMember } from "../../support/clients/join-member";
import { officialClient } from "../../support/clients/official-client";
import { send } from "../../support/clients/send";
import { createTaskClient } from "../../support/clients/task-client";
import { until } from "../../support/clients/until";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";
import { queryDatabase } from "../../support/stored-data/query-database";

let gateway: ServedGateway;
const HALF_MINUTE_MS = MINUTE_MS / 2;
/** What the gateway does once or twice a minute, without waiting for the minute. */
const minutely: (() => void)[] = [];
const passMinute = () => minutely.forEach((act) => void act());

beforeAll(async () => {
  const { setInterval } = globalThis;
  const spy = spyOn(globalThis, "setInterval").mockImplementation(((act: () => void, ms: number) => {
    if (ms === MINUTE_MS || ms === HALF_MINUTE_MS) minutely.push(act);
    return setInterval(act, ms);
  }) as typeof setInterval);
  gateway = await serveGateway({
    // On PostgreSQL its clock counts, not that of a gateway.
    isEmbedded: true,
    config: "retention: { file_days: 30, task_output_days: 30, audit_log_days: 30 }",
  });
  spy.mockRestore();
});
afterAll(() => gateway.close());

/** A project in the audit log, an uploaded file and the output of a task. @returns the ids of the last two. */
async function leaveTraces(name: string): Promise<{ fileId: string; taskId: string }> {
  const openai = officialClient(gateway.baseUrl, gateway.key);
  await gateway.admin("POST", "/organization/projects", { name });
  const file = await toFile(Buffer.from(name), name);
  const { id: fileId } = await openai.files.create({ file, purpose: "user_data" });
  const tasks = createTaskClient(gateway);
  const { id: taskId } = await tasks.create({
    model: "sandbox-image",
    messages: [{ role: "user", content: name }],
  });
  expect(await tasks.follow(taskId)).toMatchObject({ status: "succeeded" });
  return { fileId, taskId };
}

async function listLoggedProjects(): Promise<string[]> {
  const { data } = await gateway.admin<{ data: { "project.created": { data: { name: string } } }[] }>(
    "GET",
    "/organization/audit_logs?event_types=project.created",
  );
  return data.map((event) => event["project.created"].data.name);
}

const listStored = (folder: string) => readdir(join(gateway.dataFolder, folder), { recursive: true });

test("a task goes on under a clock that is days ahead, and is looked at again once the clock is right", async () => {
  const tasks = createTaskClient(gateway);
  const isDue = async (condition: string) =>
    (await queryDatabase(gateway, `SELECT 1 FROM tasks WHERE id = '${id}' AND ${condition}`)).length === 1;
  const { id } = await tasks.create({
    model: "sandbox-image",
    prompt: "x",
    sandbox: { outcome: "never ends" },
  });
  await tasks.follow(id, ({ status }) => status === "running");
  gateway.stepWallClock(2 * DAY_MS);
  await tasks.follow(id, () => isDue(`due_at_ms > created_at_ms + ${2 * DAY_MS}`));
  gateway.stepWallClock(-2 * DAY_MS);
  const task = await tasks.follow(id, () => isDue(`due_at_ms < created_at_ms + ${DAY_MS}`));
  expect(task).toMatchObject({ status: "running", error: null });
});

test("a clock that is a month ahead for a while deletes nothing, and once it is right only what is old", async () => {
  const old = await leaveTraces("old");
  gateway.pass(20 * DAY_MS);
  const recent = await leaveTraces("recent");
  gateway.stepWallClock(31 * DAY_MS);
  passMinute();
  await leaveTraces("meanwhile");
  gateway.stepWallClock(-31 * DAY_MS);
  passMinute();
  gateway.pass(11 * DAY_MS);
  passMinute();

  const isStored = async (folder: string, id: string) =>
    (await listStored(folder)).some((path) => path.includes(id));
  await until("the old file is deleted", async () => !(await isStored("files", old.fileId)));
  await until("the old output is deleted", async () => !(await isStored("outputs", old.taskId)));
  await until("the old event is deleted", async () => !(await listLoggedProjects()).includes("old"));
  expect(await listLoggedProjects()).toEqual(["meanwhile", "recent"]);
  expect(await isStored("files", recent.fileId)).toBe(true);
  expect(await isStored("outputs", recent.taskId)).toBe(true);
});

test("failed sign-ins are not forgotten under a clock that is a month ahead", async () => {
  await joinMember(gateway, "ada@example.com");
  const guess = async () => {
    const body = { email: "ada@example.com", password: "a wrong password" };
    return (await send(`${gateway.baseUrl}/organization/sign_in`, { body })).status;
  };
  for (let tries = 0; tries < 5; tries++) expect(await guess()).toBe(401);
  expect(await guess()).toBe(429);
  gateway.stepWallClock(31 * DAY_MS);
  passMinute();
  // The store is asked behind what the passing minute deletes.
  await gateway.admin("POST", "/organization/projects", { name: "Behind it" });
  gateway.stepWallClock(-31 * DAY_MS);
  expect(await guess()).toBe(429);
});
