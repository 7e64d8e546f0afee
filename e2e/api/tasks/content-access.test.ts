import { expect, test } from "bun:test";
import { refuseContent } from "@/lib/gateway/access/authorize";
import { chatLine, createBatchClient } from "../../support/clients/batch-client";
import { joinMember } from "../../support/clients/join-member";
import { buildRequest, fetchWithKey, send } from "../../support/clients/send";
import { createTaskClient } from "../../support/clients/task-client";
import { serveForAll } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";

let gateway: ServedGateway;

serveForAll((served) => {
  gateway = served;
});

const video = {
  model: "sandbox-video",
  prompt: "a secret",
  seconds: 1,
  size: "16x16",
  sandbox: { takes_ms: 0 },
};

/** The contents of a project, each with the place where it is told of and the place of its bytes. */
async function makeContents(): Promise<[string, string][]> {
  const tasks = createTaskClient(gateway);
  const { id } = await tasks.follow((await tasks.create(video)).id);
  const batches = createBatchClient(gateway);
  const batch = await batches.follow((await batches.create([chatLine("a", "a secret")])).id);
  return [
    [`/tasks/${id}`, `/tasks/${id}/output/0`],
    [`/videos/${id}`, `/videos/${id}/content`],
    [`/files/${batch.input_file_id}`, `/files/${batch.input_file_id}/content`],
    [`/files/${batch.output_file_id}`, `/files/${batch.output_file_id}/content`],
  ];
}

test("a Reader sees that files were made, and reads them once a role in the project opens prompts and answers", async () => {
  const contents = await makeContents();
  const reader = await joinMember(gateway, "reader@example.com");
  const reach = async (path: string) => {
    const reply = await fetchWithKey(`${gateway.baseUrl}${path}`, { key: reader.token });
    const text = await reply.text();
    return reply.status === 200 ? 200 : [reply.status, JSON.parse(text).error.permission];
  };
  for (const [told, bytes] of contents) {
    expect([told, await reach(told)]).toEqual([told, 200]);
    expect([bytes, await reach(bytes)]).toEqual([bytes, [403, "api.request_bodies.read"]]);
  }
  const role = await gateway.admin<{ id: string }>("POST", `/projects/${gateway.projectId}/roles`, {
    role_name: "Watches answers",
    permissions: ["api.tasks.read", "api.files.read", "api.request_bodies.read"],
  });
  await gateway.admin("POST", `/projects/${gateway.projectId}/users/${reader.id}/roles`, {
    role_id: role.id,
  });
  for (const [, bytes] of contents) expect([bytes, await reach(bytes)]).toEqual([bytes, 200]);
});

test("a file is read to its end by who joins another project meanwhile, and not by who leaves its own", async () => {
  const project = (path: string) => `/organization/projects/${gateway.projectId}${path}`;
  const form = new FormData();
  form.set("purpose", "user_data");
  form.set("file", new Blob([new Uint8Array(2 ** 20)]), "zeros");
  const uploaded = await fetchWithKey(`${gateway.baseUrl}/files`, { key: gateway.key, body: form });
  const { id: fileId } = (await uploaded.json()) as { id: string };
  const other = await gateway.admin<{ id: string }>("POST", "/organization/projects", { name: "Other" });
  const { id: user_id, token } = await joinMember(gateway, "ada@example.com", { role: "prompt_tester" });
  const membership = { user_id, role: "member" };
  await gateway.admin("POST", project("/users"), membership);
  /** Reads the first piece, and the rest after `between`. */
  const readAround = async (between: () => Promise<unknown>) => {
    const address = `${gateway.baseUrl}/files/${fileId}/content`;
    const reply = await gateway.answer(buildRequest(address, { key: token }));
    const reader = reply.body?.getReader();
    let bytes = (await reader?.read())?.value?.byteLength ?? 0;
    await between();
    for (;;) {
      const { value } = (await reader?.read()) ?? {};
      if (!value) return bytes;
      bytes += value.byteLength;
    }
  };
  const join = () => gateway.admin("POST", `/organization/projects/${other.id}/users`, membership);
  expect(await readAround(join)).toBe(2 ** 20);
  const leave = () =>
    send(`${gateway.baseUrl}${project(`/users/${user_id}`)}`, { method: "DELETE", key: gateway.adminKey });
  expect(await readAround(leave).catch((reason: unknown) => reason)).toBeUndefined();
});

test("the creator of a file can read it with any role; another caller of the same name can't", () => {
  const caller = { keyId: "user_1", permissionsIn: () => new Set<never>() };
  expect(() => refuseContent(caller, { projectId: "proj_1", keyId: "user_1" })).not.toThrow();
  for (const keyId of ["user_2", null])
    expect(() => refuseContent(caller, { projectId: "proj_1", keyId })).toThrow("api.request_bodies.read");
});
