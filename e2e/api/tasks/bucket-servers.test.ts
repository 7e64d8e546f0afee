import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { examineOutputs } from "@/lib/gateway/doctor/examine-outputs";
import { createTaskClient, type TaskClient } from "../../support/clients/task-client";
import { until } from "../../support/clients/until";
import { isProviderFault } from "../../support/gateways/is-provider-fault";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";
import { type S3Server, startS3Server, temporaryKey } from "../../support/servers/s3-server";

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
    .then((reply) => reply.bytes())
    .catch(() => null);
  expect(cut).toBeNull();
});

test("a temporary key is sent with its session token, and a wrong token is named", async () => {
  const { id } = await makePicture();
  expect(store.objects.has(`gate/${id}/0`)).toBe(true);
  const wrong = store.outputs("gate", { ...temporaryKey, session_token: "expired" });
  const { faults } = await examineOutputs(gateway.databasePath, wrong);
  expect(faults).toEqual(["s3://outputs/gate answered 403 InvalidToken: check session_token."]);
});
