import { expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import OpenAI, { toFile } from "openai";
import { DAY_S, HOUR_S } from "@/lib/contract/durations";
import type { AuditLog } from "@/lib/contract/operations/audit/audit-logs";
import { uploadForm } from "../../support/clients/batch-client";
import { fetchWithKey } from "../../support/clients/send";
import { serveForAll } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";
import { findDoctorFaults } from "../../support/stored-data/find-doctor-faults";

let gateway: ServedGateway;
let openai: OpenAI;

serveForAll((served) => {
  gateway = served;
  openai = new OpenAI({ apiKey: gateway.key, baseURL: gateway.baseUrl, maxRetries: 0 });
});

const readStatus = (call: PromiseLike<unknown>) =>
  call.then(
    () => 200,
    (error: { status: number }) => error.status,
  );
const onDisk = () => readdir(join(gateway.dataFolder, "files")).catch(() => [] as string[]);
const upload = (form: FormData, key = gateway.key) =>
  fetchWithKey(`${gateway.baseUrl}/files`, { key, body: form });

test("a file is uploaded, listed, read whole and in part, and deleted, by OpenAI's own client", async () => {
  const text = "x".repeat(3_000_000);
  const made = await openai.files.create({
    file: await toFile(Buffer.from(text), "notes é.txt"),
    purpose: "user_data",
  });
  expect(made).toMatchObject({
    object: "file",
    bytes: 3_000_000,
    filename: "notes é.txt",
    purpose: "user_data",
  });
  expect(await openai.files.retrieve(made.id)).toMatchObject({ id: made.id, created_at: made.created_at });
  expect((await openai.files.list({ purpose: "user_data" })).data.map(({ id }) => id)).toContain(made.id);
  expect((await openai.files.list({ purpose: "batch" })).data).toEqual([]);
  const content = await openai.files.content(made.id);
  expect(await content.text()).toBe(text);
  expect(content.headers.get("content-disposition")).toContain("attachment");
  const part = await fetchWithKey(`${gateway.baseUrl}/files/${made.id}/content`, {
    key: gateway.key,
    headers: { range: "bytes=0-9" },
  });
  expect([part.status, await part.text()]).toEqual([206, "x".repeat(10)]);
  expect(await openai.files.delete(made.id)).toMatchObject({ id: made.id, deleted: true });
  expect(await readStatus(openai.files.retrieve(made.id))).toBe(404);
  expect(await onDisk()).not.toContain(made.id);
  const path = "/organization/audit_logs?event_types[]=file.deleted";
  const { data } = await gateway.admin<{ data: AuditLog[] }>("GET", path);
  expect(data).toMatchObject([
    {
      actor: { type: "api_key" },
      project: { id: gateway.projectId },
      changes: [{ object: "files", id: made.id, before: null, after: null }],
    },
  ]);
});

test("a file says when it expires: by its own time, or by the gateway's", async () => {
  const soon = await openai.files.create({
    file: await toFile(Buffer.from("a"), "a"),
    purpose: "user_data",
    expires_after: { anchor: "created_at", seconds: HOUR_S },
  });
  const later = await openai.files.create({
    file: await toFile(Buffer.from("b"), "b"),
    purpose: "user_data",
  });
  expect((soon.expires_at ?? 0) - soon.created_at).toBe(HOUR_S);
  expect((later.expires_at ?? 0) - later.created_at).toBe(30 * DAY_S);
});

test.each([
  ["without a purpose", { file: "x" }, 400, "purpose"],
  ["for a purpose that there is not", { file: "x", purpose: "fine-tune" }, 400, "purpose"],
  ["without a file", { purpose: "batch" }, 400, "file"],
  ["with a field that nobody knows", { file: "x", purpose: "batch", folder: "a" }, 400, "folder"],
] as const)("an upload %s is refused and leaves nothing", async (_, fields, status, param) => {
  const before = await onDisk();
  const reply = await upload(uploadForm(fields));
  expect([reply.status, ((await reply.json()) as { error: { param: string } }).error.param]).toEqual([
    status,
    param,
  ]);
  expect(await onDisk()).toEqual(before);
});

test("an upload that says a field twice is refused and leaves nothing", async () => {
  const before = await onDisk();
  const form = uploadForm({ purpose: "batch", file: "x" });
  form.append("purpose", "user_data");
  const reply = await upload(form);
  expect(await reply.json()).toMatchObject({ error: { code: "invalid_value", param: "purpose" } });
  expect(await onDisk()).toEqual(before);
});

test("an invalid or truncated form is refused, and nothing of it is stored", async () => {
  const before = await onDisk();
  const post = (body: string, type: string) =>
    fetchWithKey(`${gateway.baseUrl}/files`, { key: gateway.key, body, headers: { "content-type": type } });
  expect((await post("{}", "application/json")).status).toBe(400);
  const part = '--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nhalf';
  expect((await post(part, "multipart/form-data; boundary=b")).status).toBe(400);
  expect(await onDisk()).toEqual(before);
  expect(await findDoctorFaults(gateway)).toEqual([]);
});

test("a name with folders in it stays in its place", async () => {
  const made = await openai.files.create({
    file: await toFile(Buffer.from("a"), "../../etc/passwd"),
    purpose: "user_data",
  });
  expect(made.filename).toBe("passwd");
});

test("a name keeps no character that turns its direction, and a long one ends with a whole character", async () => {
  const storedName = async (name: string) =>
    (await openai.files.create({ file: await toFile(Buffer.from("a"), name), purpose: "user_data" }))
      .filename;
  expect(await storedName("abc\u202egnp.exe")).toBe("abcgnp.exe");
  expect(await storedName(`${"a".repeat(254)}🙂.txt`)).toBe("a".repeat(254));
});

test("a project's files can't be reached from another project", async () => {
  const made = await openai.files.create({ file: await toFile(Buffer.from("a"), "a"), purpose: "user_data" });
  const other = await gateway.admin<{ id: string }>("POST", "/organization/projects", { name: "Other" });
  const { value } = await gateway.admin<{ value: string }>(
    "POST",
    `/organization/projects/${other.id}/api_keys`,
    { name: "k" },
  );
  const stranger = new OpenAI({ apiKey: value, baseURL: gateway.baseUrl, maxRetries: 0 });
  expect(await readStatus(stranger.files.retrieve(made.id))).toBe(404);
  expect(await readStatus(stranger.files.content(made.id))).toBe(404);
  expect(await readStatus(stranger.files.delete(made.id))).toBe(404);
  expect((await stranger.files.list()).data).toEqual([]);
});
