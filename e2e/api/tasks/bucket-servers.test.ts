import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { Bucket, toBucketSettings } from "@/lib/gateway/files/bucket/bucket";
import { simulatedRuntime } from "@/lib/gateway/simulation/simulated-runtime";
import { createTaskClient, type TaskClient } from "../../support/clients/task-client";
import { until } from "../../support/clients/until";
import { isProviderFault } from "../../support/gateways/is-provider-fault";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";
import { type S3Server, startS3Server, temporaryKey } from "../../support/servers/s3-server";
import { findOutputFaults } from "../../support/stored-data/find-doctor-faults";
import { queryDatabase } from "../../support/stored-data/query-database";

let store: S3Server;
let gateway: ServedGateway;
let tasks: TaskClient;

beforeAll(async () => {
  store = await startS3Server();
  gateway = await serveGateway({
    config: JSON.stringify({ outputs: store.outputs("gate", temporaryKey) }),
    isExpectedFault: isProviderFault,
  });
  tasks = createTaskClient(gateway);
});
afterAll(async () => {
  await gateway.close();
  await store.stop();
});
beforeEach(() => store.failWith(() => null));
afterEach(() => void gateway.faults.splice(0));

/** Makes a picture and waits until it is in the bucket alone. @returns its task and its bytes. */
const makePicture = async () => {
  const fields = { size: "256x256", sandbox: { takes_ms: 0 } };
  const { id } = await tasks.create({ model: "sandbox-image", prompt: "a lighthouse", ...fields });
  await tasks.follow(id);
  const bytes = await (await read(id)).bytes();
  await until(`${id} has moved to the bucket`, () => {
    gateway.pass(30_000);
    return !existsSync(join(gateway.dataFolder, "outputs", id));
  });
  return { id, bytes };
};
const read = (id: string, headers: Record<string, string> = {}) =>
  tasks.ask(`/tasks/${id}/output/0`, undefined, { headers });

test("objects whose lengths the server doesn't announce are served whole and in parts", async () => {
  const { id, bytes } = await makePicture();
  store.failWith(() => "unannounced");
  const whole = await read(id);
  expect(whole.headers.get("content-length")).toBe(String(bytes.length));
  expect(Buffer.from(await whole.bytes()).equals(bytes)).toBe(true);
  const part = await read(id, { range: "bytes=1-3" });
  expect([part.status, await part.text()]).toEqual([206, "PNG"]);
});

test("an object that ends early and has no announced length is not taken for a whole file", async () => {
  const { id } = await makePicture();
  store.failWith(({ headers }) => (headers.range === "bytes=0-0" ? "unannounced" : "cut unannounced"));
  const cut = await read(id)
    .then((reply) => (reply.ok ? reply.bytes() : null))
    .catch(() => null);
  expect(cut).toBeNull();
});

test("a temporary key is sent with its session token, and a wrong token is named", async () => {
  const { id } = await makePicture();
  expect(store.objects.has(`gate/${id}/0`)).toBe(true);
  const wrong = store.outputs("gate", { ...temporaryKey, session_token: "expired" });
  const faults = await findOutputFaults(gateway, wrong);
  expect(faults).toEqual(["s3://outputs/gate answered 403 InvalidToken: check session_token."]);
});

/** Replaces what the bucket has of a task's first file. */
const replaceObject = (id: string, change: (bytes: Buffer) => Buffer) => {
  const object = store.objects.get(`gate/${id}/0`);
  if (!object) throw new Error(`${id} is not in the bucket`);
  store.objects.set(`gate/${id}/0`, { ...object, bytes: change(object.bytes) });
};
const otherEnd = (bytes: Buffer) =>
  Buffer.concat([bytes.subarray(0, -1), Buffer.from([bytes.at(-1) ?? 0]).map((byte) => byte ^ 1)]);
/** How many bytes of a file arrive; null if it breaks off or is refused. */
const readWhole = (id: string) =>
  read(id)
    .then(async (reply) => (reply.status === 200 ? (await reply.bytes()).length : null))
    .catch(() => null);

test("an object with other bytes than were uploaded is never served as whole, not even after a restart", async () => {
  const { id, bytes } = await makePicture();
  expect(await readWhole(id)).toBe(bytes.length);
  replaceObject(id, otherEnd);
  gateway.faults.length = 0;
  expect(await readWhole(id)).toBeNull();
  expect(String(gateway.faults[0])).toContain(
    `${id}/0 in s3://outputs/gate has other bytes than were uploaded`,
  );
  await gateway.restart();
  expect(await readWhole(id)).toBeNull();
  replaceObject(id, otherEnd);
  expect(await readWhole(id)).toBe(bytes.length);
});

test.each([
  ["shorter", (bytes: Buffer) => bytes.subarray(0, -1)],
  ["longer", (bytes: Buffer) => Buffer.concat([bytes, bytes])],
  ["empty", () => Buffer.alloc(0)],
])("an object that is %s than the file is refused, whole and in parts", async (_, change) => {
  const { id, bytes } = await makePicture();
  replaceObject(id, change);
  gateway.faults.length = 0;
  expect([(await read(id)).status, (await read(id, { range: "bytes=1-3" })).status]).toEqual([503, 503]);
  expect(String(gateway.faults[0])).toContain(`bytes instead of ${bytes.length}: restore it from a copy`);
});

test("an object from before digests were stored is served as before", async () => {
  const { id, bytes } = await makePicture();
  const removed = await queryDatabase(gateway, `DELETE FROM stored_objects WHERE id = '${id}' RETURNING id`);
  expect(removed).toEqual([{ id }]);
  replaceObject(id, otherEnd);
  expect(await readWhole(id)).toBe(bytes.length);
});

test("an object that comes a byte at a time is given up, also if each byte comes in time", async () => {
  const { id, bytes } = await makePicture();
  const { clock, pass } = simulatedRuntime();
  const bucket = new Bucket(toBucketSettings(store.outputs("gate", temporaryKey)), clock);
  let release = () => {};
  store.failWith(() => ({ nextByte: () => new Promise<void>((resolve) => (release = resolve)) }));
  const reader = bucket.read(`${id}/0`, 0, bytes.length).getReader();
  const arrived: number[] = [];
  const readNext = async () => {
    const reading = reader.read();
    // The read waits for the bucket before time passes.
    await setImmediate();
    if (arrived.length > 0) pass(10_000);
    release();
    arrived.push((await reading).value?.byteLength ?? 0);
  };
  const reading = (async () => {
    while (arrived.length < 10) await readNext();
  })();
  await expect(reading).rejects.toThrow("sends an object too slowly: it was given up");
  expect(arrived).toEqual([1, 1, 1, 1]);
});

test("an object that stops coming is given up, and nothing is left of its request", async () => {
  const { id, bytes } = await makePicture();
  const clock = { monotonicMs: () => performance.now() };
  const bucket = new Bucket(toBucketSettings(store.outputs("gate", temporaryKey)), clock, 50);
  const closed = Promise.withResolvers<void>();
  store.failWith((request) => {
    request.socket.once("close", () => closed.resolve());
    return { nextByte: () => closed.promise };
  });
  const reading = new Response(bucket.read(`${id}/0`, 0, bytes.length)).bytes();
  await expect(reading).rejects.toThrow("sends an object too slowly");
  await closed.promise;
});
