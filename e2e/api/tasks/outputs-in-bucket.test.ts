import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Task } from "@/lib/contract/operations/tasks/task";
import { isOnPostgres } from "@/lib/gateway/database/testing/open-temporary-database";
import { fetchWithKey } from "../../support/clients/send";
import { createTaskClient, type TaskClient } from "../../support/clients/task-client";
import { until } from "../../support/clients/until";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";
import { type S3Server, startS3Server } from "../../support/servers/s3-server";
import { findDoctorFaults, findOutputFaults } from "../../support/stored-data/find-doctor-faults";

let store: S3Server;
let gateway: ServedGateway;
let tasks: TaskClient;

const configured = (outputs: object) => JSON.stringify({ outputs });
beforeAll(async () => {
  store = await startS3Server();
  gateway = await serveGateway({ config: configured(store.outputs()) });
  tasks = createTaskClient(gateway);
});
afterAll(async () => {
  await gateway.close();
  await store.stop();
});
beforeEach(() => {
  store.failWith(() => null);
  store.visits.length = 0;
  gateway.faults.length = 0;
});

const order = async (fields: object = {}, client = tasks): Promise<Task> => {
  const small = { size: "16x16", sandbox: { takes_ms: 0 } };
  const { id } = await client.create({ model: "sandbox-image", prompt: "a lighthouse", ...small, ...fields });
  return client.follow(id);
};
const isHere = (id: string, { dataFolder } = gateway) => existsSync(join(dataFolder, "outputs", id));
const findObject = (id: string, position = 0) => store.objects.get(`gate/${id}/${position}`);
/** Waits until a task's files are in the bucket alone. */
const moved = async (id: string, from = gateway) =>
  until(`${id} has moved to the bucket`, () => {
    from.pass(30_000);
    return !isHere(id, from);
  });
const read = (id: string, headers: Record<string, string> = {}) =>
  tasks.ask(`/tasks/${id}/output/0`, undefined, { headers });

test("a task's files move to the bucket, and are served from there with ranges and types", async () => {
  const { id, output } = await order({ n: 2 });
  const before = await (await read(id)).bytes();
  await moved(id);
  expect(findObject(id)).toMatchObject({ type: "image/png", bytes: { length: output[0]?.bytes } });
  expect(findObject(id, 1)).toBeDefined();
  const whole = await read(id);
  expect(["content-type", "content-length"].map((name) => whole.headers.get(name))).toEqual([
    "image/png",
    String(output[0]?.bytes),
  ]);
  expect(Buffer.from(await whole.bytes()).equals(before)).toBe(true);
  const part = await read(id, { range: "bytes=1-3" });
  expect([part.status, part.headers.get("content-range"), await part.text()]).toEqual([
    206,
    `bytes 1-3/${before.length}`,
    "PNG",
  ]);
  expect((await read(id, { range: "bytes=-4" })).status).toBe(206);
  expect((await read(id, { range: "bytes=99999999-" })).status).toBe(416);
  expect(await findDoctorFaults(gateway)).toEqual([]);
});

test("a deleted video is deleted from the bucket, before and after its upload", async () => {
  const film = { model: "sandbox-video", seconds: 1 };
  const remove = (id: string) =>
    fetchWithKey(`${gateway.baseUrl}/videos/${id}`, { method: "DELETE", key: gateway.key });
  const late = await order(film);
  await moved(late.id);
  expect(findObject(late.id)?.type).toBe("video/webm");
  const early = await order(film);
  expect([(await remove(early.id)).status, (await remove(late.id)).status]).toEqual([200, 200]);
  const next = await order();
  await moved(next.id);
  expect([findObject(early.id), findObject(late.id)]).toEqual([undefined, undefined]);
});

test("while the store is down tasks end and are charged, and their files wait on the disk", async () => {
  await store.stop();
  const before = await tasks.balance();
  const { id, status } = await order();
  expect([status, (await read(id)).status]).toEqual(["succeeded", 200]);
  const after = await tasks.balance();
  expect([Number(before.posted) > Number(after.posted), after.held]).toEqual([true, before.held]);
  await until("the operator is told", () => gateway.faults.length > 0);
  expect(String(gateway.faults[0])).toContain("s3://outputs/gate can't be reached at http://127.0.0.1:");
  await store.start();
  await moved(id);
  expect((await read(id)).status).toBe(200);
});

test.each([
  [403, "AccessDenied", "give its access key the rights to read, write and delete objects"],
  [403, "SignatureDoesNotMatch", "check secret_access_key"],
  [403, "RequestTimeTooSkewed", "set this machine's clock"],
  [404, "NoSuchBucket", "create the bucket, or check its name"],
  [301, "PermanentRedirect", "set the bucket's own region or endpoint"],
  [503, "SlowDown", "it is overloaded or down, and is asked again"],
])(
  "a store that answers %i %s is reported with its correction, and asked again",
  async (status, code, mend) => {
    store.failWith(() => ({ status, code }));
    const { id } = await order();
    await until("the operator is told", () => gateway.faults.length > 0);
    expect(String(gateway.faults[0])).toContain(`s3://outputs/gate answered ${status} ${code}: ${mend}`);
    expect(String(gateway.faults[0])).not.toContain("s3-secret");
    store.failWith(() => null);
    await moved(id);
    expect(findObject(id)).toBeDefined();
  },
);

test("a file that only the store has gets a 503 while it is down, and so does its deletion", async () => {
  const { id } = await order();
  await moved(id);
  store.failWith(() => ({ status: 403, code: "AccessDenied" }));
  const reply = await read(id);
  expect(reply.status).toBe(503);
  expect(await reply.json()).toMatchObject({ error: { code: "store_unavailable" } });
  store.failWith(() => null);
  expect((await read(id)).status).toBe(200);
  store.objects.delete(`gate/${id}/0`);
  // Of several gateways another one may have it on its disk, and upload it later.
  expect((await read(id)).status).toBe(isOnPostgres ? 503 : 404);
});

test("an upload that breaks off leaves nothing, and is repeated", async () => {
  let puts = 0;
  store.failWith(({ method }) => (method === "PUT" && ++puts === 1 ? "cut" : null));
  const { id } = await order();
  await until("the first upload has begun", () => puts === 1);
  expect(findObject(id)).toBeUndefined();
  expect((await read(id)).status).toBe(200);
  await moved(id);
  expect(puts).toBe(2);
});

test("an interrupted download is not a complete file for the caller", async () => {
  const { id } = await order({ size: "256x256" });
  await moved(id);
  store.failWith(({ method }) => (method === "GET" ? "cut" : null));
  const whole = await read(id)
    .then(
      (reply) => (reply.ok ? reply.bytes() : null),
      () => null,
    )
    .catch(() => null);
  expect(whole).toBeNull();
});

test("files that an earlier process left are uploaded by the next one", async () => {
  store.failWith(() => ({ status: 503, code: "SlowDown" }));
  const { id } = await order();
  store.failWith(() => null);
  await gateway.restart();
  await moved(id);
  const puts = store.visits.filter((visit) => visit === `PUT /outputs/gate/${id}/0`);
  expect(puts.length).toBeGreaterThan(0);
  expect((await read(id)).status).toBe(200);
});

test("images are answered from the bucket to a repeat of their call", async () => {
  const ask = () =>
    tasks.ask(
      "/images/generations",
      { model: "sandbox-image", prompt: "x", size: "16x16", sandbox: { takes_ms: 0 } },
      { headers: { "idempotency-key": "one-picture" } },
    );
  const before = store.objects.size;
  const first = await (await tasks.whileTimePasses(ask())).json();
  await until("it has moved", () => {
    gateway.pass(30_000);
    return store.objects.size > before;
  });
  expect(await (await tasks.whileTimePasses(ask())).json()).toEqual(first);
});

test("doctor names files that neither the disk nor the bucket has, and a bucket that doesn't answer", async () => {
  const [gone, short, whole] = [await order(), await order(), await order()];
  for (const { id } of [gone, short, whole]) await moved(id);
  const examined = () => findOutputFaults(gateway, store.outputs());
  expect((await examined()).filter((fault) => fault.includes(whole.id))).toEqual([]);
  store.objects.delete(`gate/${gone.id}/0`);
  store.objects.set(`gate/${short.id}/0`, { bytes: Buffer.from("x"), type: "image/png" });
  const faults = await examined();
  expect(faults).toContain(`The file ${gone.id}/0 is gone: restore it from a copy of the bucket.`);
  expect(faults.join()).toContain(`The file ${short.id}/0 has 1 bytes in the bucket instead of`);
  store.failWith(() => ({ status: 403, code: "AccessDenied" }));
  expect(await examined()).toEqual([
    expect.stringContaining("answered 403 AccessDenied: give its access key"),
  ]);
});

test("every request is signed, also for prefixes with characters that signatures escape", async () => {
  const odd = await serveGateway({ config: configured(store.outputs("a!b/(c)'*/d.e_f-g")) });
  try {
    const { id } = await order({}, createTaskClient(odd));
    await moved(id, odd);
    expect(store.objects.has(`a!b/(c)'*/d.e_f-g/${id}/0`)).toBe(true);
    const forged = store.outputs("gate", { secret_access_key: "guessed" });
    const faults = await findOutputFaults(odd, forged);
    expect(faults).toEqual([
      "s3://outputs/gate answered 403 SignatureDoesNotMatch: check secret_access_key.",
    ]);
  } finally {
    await odd.close();
  }
});

test("two gateways share a bucket, and neither touches the other's files", async () => {
  const other = await serveGateway({ config: configured(store.outputs("gate")) });
  try {
    const client = createTaskClient(other);
    const film = { model: "sandbox-video", seconds: 1 };
    const [ours, theirs] = [await order(film), await order(film, client)];
    await moved(ours.id);
    await moved(theirs.id, other);
    await fetchWithKey(`${other.baseUrl}/videos/${theirs.id}`, { method: "DELETE", key: other.key });
    expect([findObject(theirs.id), findObject(ours.id)]).toMatchObject([undefined, { type: "video/webm" }]);
    expect((await read(ours.id)).status).toBe(200);
    expect((await client.ask(`/tasks/${ours.id}/output/0`)).status).toBe(404);
  } finally {
    await other.close();
  }
});

test.each([
  [{ store: "http://bucket" }, "outputs.store must be a bucket and a prefix such as s3://bucket/prefix"],
  [{ store: "s3://bucket/../x" }, "outputs.store must be a bucket and a prefix"],
  [{ store: "s3://bucket/a b" }, "outputs.store must be a bucket and a prefix"],
  [{ endpoint: "http://host:9000/path" }, "outputs.endpoint must be an address without a path"],
  [{ secret_access_key: "" }, "outputs.secret_access_key must not be empty"],
  [{ acl: "public-read" }, "outputs has no such field: acl"],
])("a wrong setting stops the start with its correction: %j", async (changes, fault) => {
  const started = serveGateway({ config: configured(store.outputs("gate", changes)) });
  expect(started).rejects.toThrow(fault);
});
