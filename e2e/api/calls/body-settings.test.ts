import { afterEach, beforeEach, expect, test } from "bun:test";
import { DAY_MS } from "@/lib/contract/durations";
import type { RequestReceipt } from "@/lib/contract/operations/calls/requests";
import { joinMember } from "../../support/clients/join-member";
import { send } from "../../support/clients/send";
import { serveBodyStoringGateway } from "../../support/gateways/serve-body-storing-gateway";
import { findDoctorFaults } from "../../support/stored-data/find-doctor-faults";

let served: Awaited<ReturnType<typeof serveBodyStoringGateway>>;

beforeEach(async () => {
  served = await serveBodyStoringGateway();
});

afterEach(async () => {
  expect(await findDoctorFaults(served.gateway)).toEqual([]);
  await served.close();
});

test("bodies are stored only after it is turned on, and earlier ones are not", async () => {
  const before = await served.call();
  expect(await served.kept(before)).toEqual({
    state: "off",
    kept_until: null,
    is_readable: true,
    metadata: null,
  });
  served.gateway.pass(1_000);
  await served.keep("whole");
  expect((await served.kept(before)).state).toBe("off");
  expect((await served.ask(`/requests/${before}/body`)).error).toMatchObject({ code: "body_not_kept" });
  expect((await served.kept(await served.call())).state).toBe("whole");
  await served.keep("off");
  expect((await served.kept(await served.call())).state).toBe("off");
  expect(await served.readings()).toEqual([]);
});

test("a pattern that RE2 does not know, or that matches everything, is refused and changes nothing", async () => {
  const save = (redactions: string[]) =>
    send(`${served.gateway.baseUrl}/organization${served.settingsPath}`, {
      method: "POST",
      key: served.gateway.adminKey,
      body: { mode: "whole", retention_days: 30, redactions },
    });
  for (const [pattern, words] of [
    ["(?=lookahead)", "RE2"],
    ["(", "RE2"],
    ["((a{1000}){1000}){1000}", "RE2"],
    ["a*", "empty text"],
  ] as const) {
    const { status, error } = await save(["fine", pattern]);
    expect([status, error.param]).toEqual([400, "redactions.1"]);
    expect(error.message).toContain(words);
  }
  expect((await save(Array(21).fill("a"))).error.param).toBe("redactions");
  expect((await served.ask(served.settingsPath)).body).toMatchObject({ mode: "off" });
});

test("bodies of refused calls are stored for those in the list of calls: ten of a key in a minute", async () => {
  await served.keep("whole");
  const ids = [];
  for (let calls = 0; calls < 12; calls++) ids.push(await served.call({ model: "no-such-model" }));
  await served.gateway.restart();
  const { request, reply } = await served.read(ids[0] ?? "");
  expect([JSON.parse(request.text ?? "").model, reply]).toEqual(["no-such-model", null]);
  expect((await served.ask(`/requests/${ids[9]}/body`)).status).toBe(200);
  expect((await served.ask(`/requests/${ids[11]}/body`)).status).toBe(404);
  expect(await served.countBodies()).toBe(10);
});

test("bodies go when their retention is over, which a shorter one brings forward", async () => {
  await served.keep("whole", { retention_days: 10 });
  const id = await served.call();
  const { kept_until: until } = await served.kept(id);
  expect(until).toBe(Math.floor((served.gateway.runtime.clock.nowMs() + 10 * DAY_MS) / 1000));
  served.gateway.pass(5 * DAY_MS);
  await served.read(id);
  await served.keep("whole", { retention_days: 5 });
  expect((await served.kept(id)).state).toBe("expired");
  expect((await served.ask(`/requests/${id}/body`)).status).toBe(404);
  await served.gateway.restart();
  expect((await served.ask(`/requests/${id}/body`)).error.message).toContain("retention");
});

test("a reader sees that bodies are stored but can't read them; a holder of the permission in the project can", async () => {
  await served.keep("whole");
  const id = await served.call();
  await served.kept(id);
  const reader = await joinMember(served.gateway, "reader@example.com", { role: "reader" });
  const seen = (await served.ask(`/requests/${id}`, reader.token)).body as unknown as RequestReceipt;
  expect(seen.body).toMatchObject({ state: "whole", is_readable: false });
  const refused = await served.ask(`/requests/${id}/body`, reader.token);
  expect([refused.status, refused.error.permission]).toEqual([403, "api.request_bodies.read"]);
  const project = `/projects/${served.gateway.projectId}`;
  const { id: roleId } = await served.gateway.admin<{ id: string }>("POST", `${project}/roles`, {
    role_name: "Support",
    permissions: ["api.requests.read", "api.request_bodies.read"],
  });
  await served.gateway.admin("POST", `/organization${project}/users`, { user_id: reader.id, role: "member" });
  await served.gateway.admin("POST", `${project}/users/${reader.id}/roles`, { role_id: roleId });
  expect((await served.ask(`/requests/${id}/body`, reader.token)).status).toBe(200);
  expect(await served.readings()).toEqual([id]);
});
