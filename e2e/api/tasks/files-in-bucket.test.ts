import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import { chatLine, createBatchClient } from "../../support/clients/batch-client";
import { until } from "../../support/clients/until";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";
import { type S3Server, startS3Server } from "../../support/servers/s3-server";
import { findDoctorFaults, findOutputFaults } from "../../support/stored-data/find-doctor-faults";

let store: S3Server;
let gateway: ServedGateway;
let client: ReturnType<typeof createBatchClient>;

beforeAll(async () => {
  store = await startS3Server();
  gateway = await serveGateway({ config: JSON.stringify({ outputs: store.outputs() }) });
  client = createBatchClient(gateway);
});
afterAll(async () => {
  await gateway.close();
  await store.stop();
});
beforeEach(() => {
  store.failWith(() => null);
  gateway.faults.length = 0;
});

const isHere = (id: string) => existsSync(join(gateway.dataFolder, "files", id));
const findObject = (id: string) => store.objects.get(`gate/${id}/0`);
const limit = (max_requests_per_1_minute: number) =>
  gateway.admin("POST", `/organization/projects/${gateway.projectId}/rate_limits/rl_sandbox-echo`, {
    max_requests_per_1_minute,
  });
/** Waits until a file is in the bucket alone. */
const moved = (id: string) =>
  until(`${id} has moved to the bucket`, () => {
    gateway.pass(30_000);
    return !isHere(id) && findObject(id) !== undefined;
  });
const lines = ["a", "b", "c"].map((name) => chatLine(name, `say ${name}`));
const read = async (id: string) => (await client.openai.files.content(id)).text();
/** The error of a refused request. */
const readStatus = (asked: Promise<unknown>) =>
  asked.then(
    () => 200,
    ({ status }: { status: number }) => status,
  );

test("an upload moves to the bucket, is read from there, and is deleted there", async () => {
  const id = await client.upload(lines);
  expect(await read(id)).toBe(lines.join("\n"));
  await moved(id);
  expect(await read(id)).toBe(lines.join("\n"));
  await client.openai.files.delete(id);
  expect([findObject(id), await readStatus(client.openai.files.content(id))]).toEqual([undefined, 404]);
  expect(await findDoctorFaults(gateway)).toEqual([]);
});

test("a batch brings its input back, keeps it here until it ends, and its results move too", async () => {
  const many = Array.from({ length: 100 }, (_, index) => chatLine(`line-${index}`, "x"));
  const id = await client.upload(many);
  await moved(id);
  // The limit lets the batch's other lines wait for minutes to pass.
  await limit(1);
  const { id: batchId } = await client.create([], { input_file_id: id });
  await until("the input is back", () => isHere(id));
  // Another upload moves meanwhile, so this one was looked at.
  await moved(await client.upload(lines));
  expect(isHere(id)).toBe(true);
  await limit(10_000);
  const ended = await client.follow(batchId);
  expect([ended.status, ended.request_counts?.completed]).toEqual(["completed", 100]);
  const results = ended.output_file_id ?? "";
  await moved(results);
  await moved(id);
  const names = (await client.results(results)).map(({ custom_id }) => custom_id);
  expect(names.toSorted()).toEqual(many.map((_, index) => `line-${index}`).toSorted());
  await client.openai.files.delete(results);
  expect(findObject(results)).toBeUndefined();
  expect(await findDoctorFaults(gateway)).toEqual([]);
});

test("while the store is down uploads and batches work, and a batch whose input is there goes on afterwards", async () => {
  await limit(10_000);
  const far = await client.upload(lines);
  await moved(far);
  const waiting = await client.create([], { input_file_id: far });
  await client.follow(waiting.id);
  await moved(far);
  await store.stop();
  const ended = await client.follow((await client.create(lines)).id);
  expect((await client.results(ended.output_file_id)).length).toBe(3);
  expect(await readStatus(client.openai.files.content(far))).toBe(503);
  expect(await readStatus(client.create([], { input_file_id: far }))).toBe(503);
  await store.start();
  await moved(ended.output_file_id ?? "");
  const again = await client.create([], { input_file_id: far });
  expect((await client.follow(again.id)).request_counts).toEqual({ total: 3, completed: 3, failed: 0 });
});

test("a store that breaks off refuses a new batch with 503, delays one under way, and no line is lost", async () => {
  await limit(10_000);
  const id = await client.upload(lines);
  await moved(id);
  let reads = 0;
  const breakRead = (isBroken: (number: number) => boolean) => {
    reads = 0;
    const isRead = ({ method, headers }: IncomingMessage) =>
      method === "GET" && headers.range !== "bytes=0-0";
    store.failWith((request) => (isRead(request) && isBroken(++reads) ? "cut" : null));
  };
  breakRead((number) => number === 1);
  expect(await readStatus(client.create([], { input_file_id: id }))).toBe(503);
  // The creation reads the lines first, then the batch does.
  breakRead((number) => number === 2);
  const { id: batchId } = await client.create([], { input_file_id: id });
  const ended = await client.follow(batchId, ({ status }) => {
    // The batch's claim has to expire before it is tried again.
    gateway.pass(30_000);
    return status === "completed";
  });
  expect(reads).toBe(3);
  expect(ended.request_counts).toEqual({ total: 3, completed: 3, failed: 0 });
});

test("doctor names an upload that neither the disk nor the bucket has", async () => {
  const id = await client.upload(lines);
  await moved(id);
  store.objects.delete(`gate/${id}/0`);
  const faults = await findOutputFaults(gateway, store.outputs());
  expect(faults).toContain(`The file ${id}/0 is gone: restore it from a copy of the bucket.`);
});
