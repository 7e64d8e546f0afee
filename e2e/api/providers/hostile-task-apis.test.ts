import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { MINUTE_MS } from "@/lib/contract/durations";
import type { Task } from "@/lib/contract/operations/tasks/task";
import { createTaskClient, type TaskClient } from "../../support/clients/task-client";
import { isProviderFault } from "../../support/gateways/is-provider-fault";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";
import {
  type ProviderScript,
  type ScriptedProvider,
  startScriptedProvider,
} from "../../support/servers/scripted-provider";
import { scriptedTaskApis } from "../../support/servers/scripted-task-apis";
import { picture } from "../../support/servers/task-api-server";

let provider: ScriptedProvider;
/** A host at a private address that the mapping names. */
let store: ScriptedProvider;
/** A host that no mapping names. */
let forbidden: ScriptedProvider;
let gateway: ServedGateway;
let tasks: TaskClient;

beforeAll(async () => {
  [provider, store, forbidden] = [startScriptedProvider(), startScriptedProvider(), startScriptedProvider()];
  gateway = await serveGateway({ isExpectedFault: isProviderFault, config: scriptedTaskApis(provider) });
  tasks = createTaskClient(gateway);
});
afterAll(async () => {
  await gateway.close();
  for (const server of [provider, store, forbidden]) await server.stop();
});
beforeEach(() => {
  for (const server of [provider, store, forbidden]) server.visits.length = 0;
});

const png = () => new Response(picture, { headers: { "content-type": "image/png" } });
/** Takes orders under `id`, and answers polls with these states, the last one for ever. */
const answer = (
  states: readonly (object | ProviderScript)[],
  { id = "job1", file = png as ProviderScript } = {},
) => {
  const left = [...states];
  provider.answerWith((visit) => {
    if (visit.path === "/jobs") return Response.json({ id });
    if (visit.path.includes("/files/")) return file(visit);
    const state = left.length > 1 ? left.shift() : left[0];
    return typeof state === "function" ? (state as ProviderScript)(visit) : Response.json(state);
  });
};
const order = async (name: string, fields: object = {}): Promise<Task> => {
  const { id } = await tasks.create({ model: name, prompt: "x", ...fields });
  return tasks.follow(id);
};
const own = (path: string) => `${new URL(provider.baseUrl).origin}${path}`;
const done = (...urls: unknown[]) => ({ status: "done", files: urls.map((url) => ({ url })) });

test.each<[string, unknown]>([
  ["climbs", "../../organization"],
  ["is a parent folder", ".."],
  ["has a line break", "a\r\nX-Evil: 1"],
  ["has a space", "a b"],
  ["is an object", { toString: "x" }],
  ["is empty", ""],
  ["is endless", "x".repeat(201)],
  ["is a fraction", 1.5],
])("an id that %s leaves the order in an unknown state, or is one encoded segment", async (_, id) => {
  answer([done(own("/files/1"))], { id: id as string });
  const { id: taskId } = await tasks.create({ model: "urls", prompt: "x" });
  const settled = await tasks.follow(
    taskId,
    (task) => task.ended_at !== null || task.provider_state === "unknown",
  );
  const paths = provider.visits.map(({ path }) => path);
  expect(paths.every((path) => path === "/jobs" || /^\/(jobs|files)\/[^/]+$/.test(path))).toBe(true);
  expect(provider.visits.some(({ headers }) => headers.has("x-evil"))).toBe(false);
  if (id === "../../organization") expect([settled.status, paths]).toContain("succeeded");
  else expect(settled).toMatchObject({ provider_state: "unknown", status: "running" });
});

test("replies that are too long, no JSON, of wrong types or of unknown states are asked for again", async () => {
  const endless = () =>
    new Response(
      new ReadableStream({
        pull: (controller) => controller.enqueue(Buffer.from('{"a":"b"},'.repeat(5_000))),
      }),
    );
  answer([
    endless,
    () => new Response("<html>"),
    () => new Response("[".repeat(200_000)),
    () => new Response(null, { status: 500 }),
    () => new Response(null, { status: 302, headers: { location: forbidden.baseUrl } }),
    [],
    { status: ["done"] },
    { status: { toString: "done" } },
    { status: "elsewhere" },
    { status: "going", progress: "1e999" },
    { status: "going", progress: -1 },
    { status: "going", progress: { a: 1 } },
    done(own("/files/1")),
  ]);
  expect(await order("urls")).toMatchObject({ status: "succeeded" });
  expect(forbidden.visits).toEqual([]);
});

test.each<[string, unknown, string]>([
  [
    "the metadata service",
    "http://169.254.169.254/latest/meta-data",
    "at a private address, 169.254.169.254",
  ],
  ["a loopback address", "http://[::1]:80/x", "at a private address, ::1"],
  ["a mapped address", "http://[::ffff:169.254.169.254]/x", "at a private address"],
  ["this machine by number", "http://2130706433/x", "at a private address, 127.0.0.1"],
  ["a file", "file:///etc/passwd", "not a valid http or https URL"],
  ["a script", "javascript:alert(1)", "not a valid http or https URL"],
  ["a name and password", "http://user:pass@93.184.216.34/", "not a valid http or https URL"],
  ["a number", 7, "no address at /files/0/url"],
  ["nothing", null, "no address at /files/0/url"],
  ["an endless address", `http://93.184.216.34/${"x".repeat(9_000)}`, "not a valid http or https URL"],
])("an output at %s fails its task free of charge", async (_, url, message) => {
  answer([done(url)]);
  const before = await tasks.balance();
  const made = await order("urls");
  expect(made).toMatchObject({ status: "failed", usage: null, error: { code: "provider_output" } });
  expect(made.error?.message).toContain(message);
  expect(await tasks.balance()).toEqual(before);
});

test("a port of the provider's own machine that the mapping doesn't name is not asked", async () => {
  answer([done(`${forbidden.baseUrl}/secrets`)]);
  expect(await order("urls")).toMatchObject({ status: "failed", error: { code: "provider_output" } });
  expect(forbidden.visits).toEqual([]);
});

test.each<[string, () => string, string]>([
  ["the metadata service", () => "http://169.254.169.254/", "private address"],
  ["another scheme", () => "file:///etc/passwd", "not a valid http or https URL"],
  ["itself", () => own("/files/1"), "redirected more than 3 times"],
  ["a port that isn't named", () => forbidden.baseUrl, "private address"],
])("an output that redirects to %s fails its task", async (_, location, message) => {
  const file = () => new Response(null, { status: 302, headers: { location: location() } });
  answer([done(own("/files/1"))], { file });
  const made = await order("urls");
  expect(made).toMatchObject({ status: "failed", error: { code: "provider_output" } });
  expect(made.error?.message).toContain(message);
  expect(forbidden.visits).toEqual([]);
});

test("an output may be at a named host, which gets no key of the provider", async () => {
  store.answerWith(({ path }) => (path === "/v1/signed" ? png() : new Response(null, { status: 500 })));
  const file = () =>
    new Response(null, { status: 307, headers: { location: `${store.baseUrl}/signed?sig=1` } });
  answer([done(own("/files/1"))], { file });
  expect(await order("stored")).toMatchObject({ status: "succeeded" });
  expect(store.visits[0]?.headers.get("authorization")).toBeNull();
  expect(provider.visits.at(-1)?.headers.get("authorization")).toBe("Bearer mapped-secret");
});

test.each<[string, ProviderScript]>([
  [
    "a page",
    () => new Response("<html><script>alert(1)</script>", { headers: { "content-type": "image/png" } }),
  ],
  ["a drawing with scripts", () => new Response("<svg xmlns='http://www.w3.org/2000/svg'>")],
  ["nothing", () => new Response("")],
  ["the beginning of a picture", () => new Response(picture.subarray(0, 12))],
  ["a film", () => new Response("\0\0\0\x18ftypmp42 the rest of the film")],
  ["a refusal", () => new Response(null, { status: 400 })],
])("an output that is %s fails its task, and no file is left", async (_, file) => {
  for (const name of ["urls", "paths"]) {
    answer([done(own("/files/1"))], { file });
    expect(await order(name)).toMatchObject({
      status: "failed",
      output: [],
      error: { code: "provider_output" },
    });
  }
});

test("an output that breaks off is fetched again, whole", async () => {
  let fetched = 0;
  const file = () => {
    if (++fetched > 1) return png();
    const half = new ReadableStream({
      start(controller) {
        controller.enqueue(picture.subarray(0, 20));
      },
      pull: (controller) => controller.error(new Error("The provider breaks off")),
    });
    return new Response(half);
  };
  answer([{ status: "done" }], { file });
  expect(await order("paths")).toMatchObject({ status: "succeeded", output: [{ bytes: picture.length }] });
  expect(fetched).toBe(2);
});

test.each<[string, object, string]>([
  ["no list", { status: "done", files: { 0: "x", length: 1 } }, "no list at /files"],
  ["fewer files", { status: "done", files: [] }, "made 0 files instead of 1"],
  ["a file that is no base64", { status: "done", files: ["!!!"] }, "not in base64"],
  ["a file of numbers", { status: "done", files: [[1, 2]] }, "no content at /files/0"],
  ["a page in base64", { status: "done", files: [btoa("<html>")] }, "no PNG"],
])("a task that ends with %s fails its task free of charge", async (_, state, message) => {
  answer([state]);
  const made = await order("inline");
  expect(made).toMatchObject({ status: "failed", usage: null, error: { code: "provider_output" } });
  expect(made.error?.message).toContain(message);
});

test("files may come in the reply, also as data URLs", async () => {
  const text = picture.toString("base64");
  answer([{ status: "done", files: [text, `data:image/png;base64,${text}`, "more than ordered"] }]);
  const made = await order("inline", { n: 2 });
  expect(made).toMatchObject({
    status: "succeeded",
    output: [{ bytes: picture.length }, { bytes: picture.length }],
  });
});

test("a submit that is led elsewhere or refused makes nothing, and a gateway between leaves it open", async () => {
  for (const status of [301, 400, 401, 500]) {
    provider.answerWith(() => new Response(null, { status, headers: { location: forbidden.baseUrl } }));
    expect(await order("urls")).toMatchObject({ status: "failed", usage: null });
  }
  expect(forbidden.visits).toEqual([]);
  provider.answerWith(() => new Response(null, { status: 504 }));
  const { id } = await tasks.create({ model: "urls", prompt: "x" });
  await tasks.follow(id, ({ provider_state }) => provider_state === "unknown");
  const orders = provider.visits.filter(({ path }) => path === "/jobs").length;
  gateway.pass(MINUTE_MS);
  // The worker has looked at every due task once this one has ended.
  answer([done(own("/files/1"))]);
  await order("urls");
  expect(provider.visits.filter(({ path }) => path === "/jobs")).toHaveLength(orders + 1);
});

test("a provider that doesn't answer delays no other provider's tasks, however many orders it has", async () => {
  const end = Promise.withResolvers<void>();
  provider.answerWith(() => end.promise.then(() => Response.json({ error: "no" }, { status: 400 })));
  for (let orders = 0; orders < 70; orders++) await tasks.create({ model: "urls", prompt: "x" });
  const { id } = await tasks.create({ model: "sandbox-image", prompt: "x", sandbox: { takes_ms: 0 } });
  expect(await tasks.follow(id)).toMatchObject({ status: "succeeded" });
  expect(provider.visits.length).toBe(20);
  end.resolve();
});
