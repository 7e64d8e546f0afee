import { expect, test } from "bun:test";
import OpenAI from "openai";
import { fetchWithKey } from "../../support/clients/send";
import { serveForAll } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";
import { queryDatabase } from "../../support/stored-data/query-database";

let gateway: ServedGateway;

serveForAll((served) => {
  gateway = served;
});

/** Calls a model as a caller without a project, naming this one. */
async function callIn(projectId: string) {
  const reply = await fetchWithKey(`${gateway.baseUrl}/chat/completions`, {
    key: gateway.adminKey,
    body: { model: "sandbox-echo", messages: [{ role: "user", content: "Hello" }] },
    headers: { "openai-project": projectId },
  });
  const { error } = (await reply.json()) as { error?: { code: string; message: string } };
  return { status: reply.status, error };
}

test("a project is known from its creation on, by its new name, until it is archived, and after a restart", async () => {
  const { id } = await gateway.admin<{ id: string }>("POST", "/organization/projects", { name: "First" });
  expect((await callIn(id)).status).toBe(200);
  await gateway.admin("POST", `/organization/projects/${id}`, { name: "Second" });
  await gateway.admin("POST", `/organization/projects/${id}/archive`);
  const refused = { status: 400, error: { code: "project_archived" } };
  expect(await callIn(id)).toMatchObject(refused);
  expect((await callIn(id)).error?.message).toContain('"Second"');
  await gateway.restart();
  expect(await callIn(id)).toMatchObject(refused);
  expect((await callIn("proj_none")).status).toBe(404);
});

test("a key's calls may name its own project or none, and are refused with another in the header", async () => {
  const { id } = await gateway.admin<{ id: string }>("POST", "/organization/projects", { name: "Other" });
  const client = (project: string) =>
    new OpenAI({
      baseURL: gateway.baseUrl,
      apiKey: gateway.key,
      project,
      organization: "org-x",
      maxRetries: 0,
    });
  const messages = [{ role: "user" as const, content: "Hello" }];
  for (const project of ["", gateway.projectId]) {
    await client(project).chat.completions.create({ model: "sandbox-echo", messages });
    expect((await client(project).models.list()).data).not.toEqual([]);
  }
  const refusal = { status: 400, param: "OpenAI-Project", code: "invalid_value" };
  for (const project of [id, "proj_none"]) {
    const { chat, models } = client(project);
    const completion = async () => await chat.completions.create({ model: "sandbox-echo", messages });
    await expect(completion()).rejects.toMatchObject(refusal);
    await expect((async () => await models.list())()).rejects.toMatchObject(refusal);
  }
});

test("a call does not read its project from the store", async () => {
  await queryDatabase(gateway, "ALTER TABLE projects RENAME TO hidden_projects");
  expect((await callIn(gateway.projectId)).status).toBe(200);
  await queryDatabase(gateway, "ALTER TABLE hidden_projects RENAME TO projects");
});
