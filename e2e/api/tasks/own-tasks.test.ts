import { expect, test } from "bun:test";
import type { AuditLog } from "@/lib/contract/operations/audit/audit-logs";
import type { Task } from "@/lib/contract/operations/tasks/task";
import { joinMember } from "../../support/clients/join-member";
import { readReceipt } from "../../support/clients/read-requests";
import { fetchWithKey, send } from "../../support/clients/send";
import { createTaskClient } from "../../support/clients/task-client";
import { serveForAll } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";
import { createMember } from "../../support/stored-data/create-member";

let gateway: ServedGateway;
let tester: { id: string; token: string };
let other: { id: string; token: string };
let lead: string;
const picture = { model: "sandbox-image", prompt: "a lighthouse", size: "64x64", sandbox: { takes_ms: 0 } };
const endless = { model: "sandbox-video", prompt: "waves", sandbox: { outcome: "never ends" } };

serveForAll(
  async (served) => {
    gateway = served;
    await gateway.restart(async () => {
      const roles = ["role_project_owner", "role_prompt_tester"].map((roleId) => ({
        roleId,
        projectId: roleId === "role_prompt_tester" ? null : gateway.projectId,
      }));
      lead = (await createMember(gateway.dataFolder, "lead", roles, gateway.runtime)).token;
    });
    tester = await joinMember(gateway, "tester@example.com", { role: "prompt_tester" });
    other = await joinMember(gateway, "other@example.com", { role: "prompt_tester" });
  },
  { balance: "5.00" },
);

async function make(key: string, fields: object, headers: Record<string, string> = {}): Promise<Task> {
  const reply = await send(`${gateway.baseUrl}/chat/completions`, {
    method: "POST",
    key,
    body: fields,
    headers: { "openai-project": gateway.projectId, ...headers },
  });
  expect(reply.status).toBe(200);
  return reply.body as unknown as Task;
}
const own = (key: string, path = "", method: "GET" | "POST" = "GET") =>
  send(`${gateway.baseUrl}/organization/me/tasks${path}`, { method, key });
const listIds = async (key: string, query = "") =>
  ((await own(key, query)).body as { data: Task[] }).data.map(({ id }) => id);

async function ended(key: string, id: string): Promise<Task> {
  const { follow } = createTaskClient(gateway);
  await follow(id);
  return (await own(key, `/${id}`)).body as unknown as Task;
}

test("somebody who may only use the playground follows, plays and lists the tasks they made, and sees no others", async () => {
  const mine = await make(tester.token, picture);
  const theirs = await make(other.token, picture);
  const programs = await make(gateway.key, picture);
  expect(await listIds(tester.token)).toEqual([mine.id]);
  expect(await listIds(other.token)).toEqual([theirs.id]);
  expect(await listIds(gateway.key)).toEqual([programs.id]);
  expect(await listIds(gateway.adminKey)).toEqual([]);
  expect(await listIds(tester.token, `?project_id=${gateway.projectId}&model=sandbox-image`)).toEqual([
    mine.id,
  ]);
  expect(await listIds(tester.token, "?project_id=proj_other")).toEqual([]);

  expect(await ended(tester.token, mine.id)).toMatchObject({
    status: "succeeded",
    request_id: mine.request_id,
  });
  const file = await fetchWithKey(`${gateway.baseUrl}/organization/me/tasks/${mine.id}/output/0`, {
    key: tester.token,
    headers: { range: "bytes=1-3" },
  });
  expect([file.status, file.headers.get("content-type"), await file.text()]).toEqual([
    206,
    "image/png",
    "PNG",
  ]);
  const events = await fetchWithKey(`${gateway.baseUrl}/organization/me/tasks/${mine.id}/events`, {
    key: tester.token,
  });
  expect(await events.text()).toContain('"status":"succeeded"');
});

test("the operations on own tasks never reach another person's task, whatever permissions the caller holds", async () => {
  const mine = await make(tester.token, endless);
  for (const key of [other.token, gateway.key, gateway.adminKey, lead]) {
    for (const [path, method] of [
      [`/${mine.id}`, "GET"],
      [`/${mine.id}/events`, "GET"],
      [`/${mine.id}/output/0`, "GET"],
      [`/${mine.id}/cancel`, "POST"],
    ] as const) {
      const { status, error } = await own(key, path, method);
      expect([path, status, error.code, error.param]).toEqual([path, 404, "object_not_found", "task_id"]);
    }
  }
  expect((await own(tester.token, `/${mine.id}`)).body).toMatchObject({ cancel_requested: false });
  expect((await own("", `/${mine.id}`)).status).toBe(401);
});

test("the permission for one's own tasks gives no access to a project's tasks", async () => {
  const mine = await make(tester.token, endless);
  for (const [path, method, permission] of [
    ["", "GET", "api.tasks.read"],
    [`/${mine.id}`, "GET", "api.tasks.read"],
    [`/${mine.id}/output/0`, "GET", "api.tasks.read"],
    [`/${mine.id}/cancel`, "POST", "api.tasks.write"],
    [`/${mine.id}/callback`, "GET", "api.tasks.read"],
  ] as const) {
    const { status, error } = await send(`${gateway.baseUrl}/tasks${path}`, { method, key: tester.token });
    expect([path, status, error.permission]).toEqual([path, 403, permission]);
  }
});

test("its maker cancels a task once, and pays nothing for it", async () => {
  const mine = await make(tester.token, endless);
  expect((await own(tester.token, `/${mine.id}/cancel`, "POST")).body).toMatchObject({
    cancel_requested: true,
  });
  expect(await ended(tester.token, mine.id)).toMatchObject({ status: "canceled", usage: null });
  const again = await own(tester.token, `/${mine.id}/cancel`, "POST");
  expect([again.status, again.error.code]).toEqual([409, "task_ended"]);
  const path = "/organization/audit_logs?event_types[]=task.cancel_requested";
  const { data } = await gateway.admin<{ data: AuditLog[] }>("GET", path);
  const events = data.filter(({ changes }) => changes[0]?.id === mine.id);
  expect(events.map(({ actor }) => actor?.session?.user?.email)).toEqual(["tester@example.com"]);
});

test("a task that was run as a key belongs to the person who ran it and to the key", async () => {
  const key = await gateway.admin<{ id: string; value: string }>(
    "POST",
    `/organization/projects/${gateway.projectId}/api_keys`,
    { name: "studio" },
  );
  const made = await make(lead, picture, { "x-gatehouse-run-as": key.id });
  expect((await own(lead, `/${made.id}`)).status).toBe(200);
  await ended(lead, made.id);
  for (const maker of [lead, key.value]) expect((await own(maker, `/${made.id}`)).status).toBe(200);
  expect((await own(tester.token, `/${made.id}`)).status).toBe(404);
  expect(await listIds(key.value)).toEqual([made.id]);
  const receipt = await readReceipt(gateway, made.request_id);
  expect(receipt.client).toMatchObject({ endpoint: "chat/completions", run_by: { name: "lead" } });
});

test("a key that is limited to some endpoints sees the tasks that it made, and no others of its project", async () => {
  const limited = await gateway.admin<{ value: string }>(
    "POST",
    `/organization/projects/${gateway.projectId}/api_keys`,
    { name: "narrow", endpoints: ["chat_completions"] },
  );
  const made = await make(limited.value, picture);
  expect(await listIds(limited.value)).toEqual([made.id]);
});
