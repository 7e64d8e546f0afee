import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import OpenAI from "openai";
import { paintPng } from "../../support/clients/paint-png";
import { send } from "../../support/clients/send";
import { createTaskClient, type TaskClient } from "../../support/clients/task-client";
import { until } from "../../support/clients/until";
import { isProviderFault } from "../../support/gateways/is-provider-fault";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";
import {
  type ScriptedProvider,
  startScriptedProvider,
  streamChunks,
} from "../../support/servers/scripted-provider";
import { findDoctorFaults } from "../../support/stored-data/find-doctor-faults";

let provider: ScriptedProvider;
let gateway: ServedGateway;
let client: OpenAI;
let tasks: TaskClient;

beforeAll(async () => {
  provider = startScriptedProvider();
  const config = `
providers:
  - { id: scripted, kind: openai, base_url: "${provider.baseUrl}", api_key: sk-upstream }
  - { id: away, kind: openai, base_url: "http://127.0.0.1:1/v1" }
models:
  - { id: painter, family: image, rate: "0.5", unit_price: { unit: image, amount: "0.04" }, routes: [{ provider: scripted, model: dall-e-3 }] }
  - { id: filmer, family: video, rate: "0.5", unit_price: { unit: second, amount: "0.1" }, routes: [{ provider: scripted, model: sora-2 }] }
  - { id: far-painter, family: image, rate: "1", unit_price: { unit: image, amount: "0.04" }, routes: [{ provider: away, model: dall-e-3 }] }
`;
  gateway = await serveGateway({ isExpectedFault: isProviderFault, config });
  client = new OpenAI({ baseURL: gateway.baseUrl, apiKey: gateway.key, maxRetries: 0 });
  tasks = createTaskClient(gateway);
});
afterAll(async () => {
  await gateway.close();
  await provider.stop();
});
beforeEach(() => {
  provider.visits.length = 0;
});

const png = paintPng({ width: 1, height: 1 }, [9, 9, 9]);
const paint = (fields: object = {}) =>
  send(`${gateway.baseUrl}/images/generations`, {
    method: "POST",
    key: gateway.key,
    body: { model: "painter", prompt: "a lighthouse", ...fields },
  });
const balance = () => tasks.balance();
const buildImages = (...images: (Buffer | string)[]) =>
  Response.json({
    created: 1,
    data: images.map((image) => ({ b64_json: Buffer.from(image).toString("base64") })),
  });

describe("images of an OpenAI-compatible provider", () => {
  test("come with the reply to their order, and are charged by the image", async () => {
    provider.answerWith(() => buildImages(png, png));
    const before = await balance();
    const made = await client.images.generate({
      model: "painter",
      prompt: "a lighthouse",
      n: 2,
      background: "transparent",
    });
    const images = (made.data ?? []).map(({ b64_json = "" }) => Buffer.from(b64_json, "base64"));
    expect(images.map((image) => image.equals(png))).toEqual([true, true]);
    const after = await balance();
    expect(Number(before.posted) - Number(after.posted)).toBeCloseTo(0.04, 9);
    const [visit] = provider.visits;
    expect([visit?.path, visit?.headers.get("authorization")]).toEqual([
      "/v1/images/generations",
      "Bearer sk-upstream",
    ]);
    // The size is the provider's choice, since nobody has asked for one and its price doesn't depend on it.
    expect(JSON.parse(visit?.body ?? "")).toEqual({
      background: "transparent",
      model: "dall-e-3",
      prompt: "a lighthouse",
      n: 2,
      response_format: "b64_json",
    });
    expect(await findDoctorFaults(gateway)).toEqual([]);
  });

  test.each([
    [
      "refuses it",
      () =>
        Response.json(
          { error: { code: "content_policy_violation", message: "No sk-upstream" } },
          { status: 400 },
        ),
    ],
    ["fails", () => new Response("no", { status: 500 })],
    ["sends fewer", () => buildImages(png)],
    ["sends no image", () => buildImages("<svg>", "<svg>")],
    ["sends the beginning of one", () => buildImages(png, png.subarray(0, 12))],
    ["sends an address", () => Response.json({ data: [{ url: "http://169.254.169.254/" }, { url: "x" }] })],
  ])("cost nothing where it %s, and are not asked for again", async (_, script) => {
    provider.answerWith(script);
    const before = await balance();
    const reply = await paint({ n: 2 });
    expect(reply).toMatchObject({ status: 502, error: { code: "provider_error" } });
    expect(reply.error.message).not.toContain("sk-upstream");
    expect(await balance()).toEqual(before);
    expect(provider.visits).toHaveLength(1);
  });

  test("are ordered again from a provider that had no room", async () => {
    let asked = 0;
    provider.answerWith(() => (++asked < 3 ? new Response("busy", { status: 429 }) : buildImages(png)));
    const made = await tasks.whileTimePasses(paint());
    expect([made.status, asked]).toEqual([200, 3]);
  });

  test("whose reply is cut off may have been made: they are neither repeated nor refunded", async () => {
    const cut = new ReadableStream({
      pull: (controller) => controller.error(new Error("The provider dies")),
    });
    provider.answerWith(() => new Response(cut, { headers: { "content-type": "application/json" } }));
    const made = await tasks.create({ model: "painter", prompt: "cut" });
    await until("the provider's state is unknown", async () => {
      const task = (await (await tasks.ask(`/tasks/${made.id}`)).json()) as { provider_state: string };
      return task.provider_state === "unknown";
    });
    expect(provider.visits).toHaveLength(1);
    await tasks.ask(`/tasks/${made.id}/cancel`, {});
  });

  test("of a provider that can't be reached wait for it, and can be canceled for free", async () => {
    const before = await balance();
    const made = await tasks.create({ model: "far-painter", prompt: "far" });
    await tasks.ask(`/tasks/${made.id}/cancel`, {});
    expect(await tasks.follow(made.id)).toMatchObject({ status: "canceled", usage: null });
    expect(await balance()).toEqual(before);
  });
});

describe("videos of an OpenAI-compatible provider", () => {
  const film = Buffer.from("\0\0\0\x18ftypmp42 the rest of the film");
  /** Renders in as many polls as there are answers. */
  const renders = (states: object[]) => {
    const left = [...states];
    provider.answerWith(({ path }) => {
      if (path.endsWith("/content")) return new Response(film, { headers: { "content-type": "video/mp4" } });
      if (path === "/v1/videos") return Response.json({ id: "video_1", status: "queued", progress: 0 });
      return Response.json(left.length > 1 ? left.shift() : left[0]);
    });
  };

  test("are ordered, polled and fetched, and play from the gateway with ranges", async () => {
    renders([
      { id: "video_1", status: "in_progress", progress: 40 },
      { id: "video_1", status: "completed" },
    ]);
    const before = await balance();
    const { id } = await client.videos.create({
      model: "filmer" as never,
      prompt: "waves",
      seconds: "8",
      size: "1280x720",
    });
    expect(await tasks.follow(id)).toMatchObject({
      status: "succeeded",
      usage: { unit: "second", quantity: 8 },
    });
    const after = await balance();
    expect(Number(before.posted) - Number(after.posted)).toBeCloseTo(0.4, 9);
    const content = await client.videos.downloadContent(id);
    expect([content.headers.get("content-type"), Buffer.from(await content.bytes()).equals(film)]).toEqual([
      "video/mp4",
      true,
    ]);
    const part = await tasks.ask(`/tasks/${id}/output/0`, undefined, { headers: { range: "bytes=4-7" } });
    expect([part.status, await part.text()]).toEqual([206, "ftyp"]);
    expect(JSON.parse(provider.visits[0]?.body ?? "")).toEqual({
      model: "sora-2",
      prompt: "waves",
      seconds: "8",
      size: "1280x720",
    });
    expect(await findDoctorFaults(gateway)).toEqual([]);
  });

  test("cost nothing where the provider fails", async () => {
    const error = { code: "moderation_blocked", message: "Not this" };
    renders([{ id: "video_1", status: "failed", error }]);
    const before = await balance();
    const made = await tasks.create({ model: "filmer", prompt: "waves" });
    const { code } = error;
    expect(await tasks.follow(made.id)).toMatchObject({ status: "failed", error: { code }, usage: null });
    expect(await balance()).toEqual(before);
  });

  test("whose content is another type, or slow to begin, are fetched once they are there", async () => {
    renders([{ id: "video_1", status: "completed" }]);
    let fetched = 0;
    provider.answerWith(({ path }) => {
      if (path === "/v1/videos") return Response.json({ id: "video_1", status: "queued" });
      if (!path.endsWith("/content")) return Response.json({ id: "video_1", status: "completed" });
      return ++fetched === 1
        ? new Response("<html>", { headers: { "content-type": "text/html" } })
        : streamChunks([film.subarray(0, 8), film.subarray(8)], "video/mp4");
    });
    const made = await tasks.create({ model: "filmer", prompt: "waves" });
    expect(await tasks.follow(made.id)).toMatchObject({
      status: "succeeded",
      output: [{ bytes: film.length }],
    });
    expect(fetched).toBe(2);
  });

  test("are recognized by their first bytes: a WebM is one, and another file costs nothing", async () => {
    const before = await balance();
    const deliver = async (bytes: Buffer<ArrayBuffer>) => {
      provider.answerWith(({ path }) => {
        if (path === "/v1/videos") return Response.json({ id: "video_1", status: "queued" });
        if (path.endsWith("/content")) return new Response(bytes);
        return Response.json({ id: "video_1", status: "completed" });
      });
      return tasks.follow((await tasks.create({ model: "filmer", prompt: "waves" })).id);
    };
    const failed = { status: "failed", error: { code: "provider_output" }, usage: null };
    expect(await deliver(Buffer.from("no video at all"))).toMatchObject(failed);
    expect(await balance()).toEqual(before);
    const webm = Buffer.from("\x1a\x45\xdf\xa3 a WebM's header and more", "latin1");
    expect(await deliver(webm)).toMatchObject({ status: "succeeded", output: [{ mime_type: "video/webm" }] });
  });
});

test("a music model is refused when it is added with a route to such a provider", async () => {
  const reply = await send(`${gateway.baseUrl}/organization/models`, {
    method: "POST",
    key: gateway.adminKey,
    body: {
      id: "player",
      family: "music",
      rate: "1",
      unit_price: { unit: "second", amount: "0.01" },
      routes: [{ provider: "scripted", model: "tunes" }],
    },
  });
  const message = '"scripted" makes only image and video models; choose another provider for a music model.';
  expect([reply.status, reply.error.message]).toEqual([400, message]);
});
