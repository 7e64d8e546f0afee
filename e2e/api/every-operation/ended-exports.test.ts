import { expect, test } from "bun:test";
import { openSqlite } from "@/lib/gateway/database/open-sqlite";
import { uploadForm } from "../../support/clients/batch-client";
import { joinMember } from "../../support/clients/join-member";
import { createOrganizationClient } from "../../support/clients/organization-client";
import { buildRequest, fetchWithKey } from "../../support/clients/send";
import { serveForAll } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";
import { fillTables, ROWS } from "../../support/stored-data/fill-tables";

/** A filled project that isn't archived, to which one in ten refused calls belongs. */
const FILLED_PROJECT = `proj_${String(ROWS).padStart(26, "0")}`;
let gateway: ServedGateway;

serveForAll(async (served) => {
  gateway = served;
  await gateway.restart(async () => {
    using database = openSqlite(gateway.databasePath);
    fillTables(database, gateway.projectId);
    database.run("UPDATE uncharged_calls SET project_id = ? WHERE at_ms % 600000 = 0", [FILLED_PROJECT]);
  });
});

const admin = (method: "POST" | "DELETE", path: string, body?: object) =>
  createOrganizationClient(gateway.baseUrl)(method, path, body, gateway.adminKey);

/** Begins to read a reply, a piece at a time as a slow client does. */
async function begin(path: string, token: string, accept = "application/x-ndjson") {
  const reply = await gateway.answer(
    buildRequest(`${gateway.baseUrl}${path}`, { key: token, headers: { accept } }),
  );
  expect(reply.status).toBe(200);
  const reader = reply.body?.getReader();
  if (!reader) throw new Error("The reply has no body");
  const first = await reader.read();
  expect(first.value?.byteLength).toBeGreaterThan(0);
  return reader;
}

test("an export breaks off once its key is revoked", async () => {
  const { body } = await admin("POST", "/admin_api_keys", { name: "Short-lived" });
  const reader = await begin("/organization/ledger", String(body.value));
  expect((await reader.read()).done).toBe(false);
  await admin("DELETE", `/admin_api_keys/${body.id}`);
  await expect(reader.read()).rejects.toThrow();
});

test("an export breaks off once its session is ended, or its reader has lost the permission", async () => {
  const ada = await joinMember(gateway, "ada@example.com", { role: "reader" });
  const byAda = await begin("/organization/requests", ada.token, "text/csv");
  const signIn = { email: "ada@example.com", password: "a horse of wood" };
  const { body } = await createOrganizationClient(gateway.baseUrl)("POST", "/sign_in", signIn);
  const bySession = await begin("/organization/requests", String(body.token), "text/csv");
  await createOrganizationClient(gateway.baseUrl)(
    "DELETE",
    `/me/sessions/${body.id}`,
    undefined,
    String(body.token),
  );
  await expect(bySession.read()).rejects.toThrow();
  expect((await byAda.read()).done).toBe(false);
  await admin("DELETE", `/users/${ada.id}/roles/role_reader`);
  await expect(byAda.read()).rejects.toThrow();
});

test("an export is not cut short to fewer projects as if it were whole", async () => {
  const ben = await joinMember(gateway, "ben@example.com", { role: "prompt_tester" });
  const { body: other } = await admin("POST", "/projects", { name: "Other" });
  for (const id of [gateway.projectId, other.id]) {
    await admin("POST", `/projects/${id}/users`, { user_id: ben.id, role: "owner" });
  }
  const reader = await begin("/organization/requests", ben.token);
  expect((await reader.read()).done).toBe(false);
  await admin("DELETE", `/projects/${gateway.projectId}/users/${ben.id}`);
  await expect(reader.read()).rejects.toThrow();
});

const membership = (userId: string) => ({ user_id: userId, role: "owner" });

test.each([
  ["another project", (id: string) => admin("POST", `/projects/${FILLED_PROJECT}/users`, membership(id))],
  ["the organization", (id: string) => admin("POST", `/users/${id}/roles`, { role_id: "role_reader" })],
])(
  "an export goes on when its reader joins %s, and has nothing of what they see since",
  async (where, join) => {
    const eve = await joinMember(gateway, `eve@${where.replaceAll(" ", "-")}.example`, {
      role: "prompt_tester",
    });
    await admin("POST", `/projects/${gateway.projectId}/users`, membership(eve.id));
    const path = "/organization/requests?outcome=refused";
    const reader = await begin(path, eve.token);
    expect((await join(eve.id)).status).toBe(200);
    const decoder = new TextDecoder();
    let text = "";
    for (let next = await reader.read(); !next.done; next = await reader.read())
      text += decoder.decode(next.value, { stream: true });
    expect(text.split("\n").length).toBeGreaterThan(ROWS / 2);
    expect(text).not.toContain(FILLED_PROJECT);
    // Now they see it, with the next export.
    const later = await fetchWithKey(`${gateway.baseUrl}${path}&project_id=${FILLED_PROJECT}`, {
      key: eve.token,
    });
    expect(((await later.json()) as { data: unknown[] }).data).not.toEqual([]);
  },
);

test("the download of a file breaks off once its key is revoked", async () => {
  const path = `/projects/${gateway.projectId}/api_keys`;
  const { body: key } = await admin("POST", path, { name: "Short-lived" });
  const made = await fetchWithKey(`${gateway.baseUrl}/files`, {
    key: String(key.value),
    body: uploadForm({ purpose: "user_data", file: "x".repeat(8_000_000) }),
  });
  const { id } = (await made.json()) as { id: string };
  const reader = await begin(`/files/${id}/content`, String(key.value));
  await admin("DELETE", `${path}/${key.id}`);
  await expect(reader.read()).rejects.toThrow();
});

test("a client that leaves while a page is read stops the export, and no fault is logged", async () => {
  const reply = await gateway.answer(
    buildRequest(`${gateway.baseUrl}/organization/ledger`, {
      key: gateway.adminKey,
      headers: { accept: "text/csv" },
    }),
  );
  const reader = reply.body?.getReader();
  await reader?.read();
  const next = reader?.read();
  await reader?.cancel();
  await next;
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
  expect(gateway.faults).toEqual([]);
});
