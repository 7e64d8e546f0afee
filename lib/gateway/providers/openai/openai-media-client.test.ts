import { afterAll, expect, test } from "bun:test";
import { type MediaOrder, OrderMisrouted, OrderNotSent, OrderRefused, OutputMissing } from "../media-client";
import { createOpenaiMediaClient } from "./openai-media-client";

let answer: (request: Request) => Response | Promise<Response>;
const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: (request) => answer(request) });
afterAll(() => server.stop(true));

const client = createOpenaiMediaClient(
  {
    baseUrl: `http://127.0.0.1:${server.port}/v1`,
    apiKey: null,
    auth: "bearer" as const,
    messagesBaseUrl: null,
    isTrusted: true,
  },
  { nowMs: () => 0 },
);
const { signal } = new AbortController();

const video: MediaOrder = {
  family: "video",
  model: "sora",
  prompt: "A cat",
  count: 1,
  size: { width: 1280, height: 720 },
  seconds: 4,
  quality: null,
  extraFields: {},
};
const image: MediaOrder = { ...video, family: "image", model: "dall-e-3", seconds: null };
const remote = { id: "video_1", order: video };

const png = Buffer.from("89504e470d0a1a0a0000000d49484452000000010000000108060000", "hex");

const submit = (order: MediaOrder) => client.submit(order, "key", signal);
const refuse = (status: number, error: object) => () => Response.json({ error }, { status });

test("a video is ordered with what was priced, and its id is returned", async () => {
  let sent: unknown;
  answer = async (request) => {
    sent = [request.method, new URL(request.url).pathname, await request.json()];
    return Response.json({ id: "video_1", status: "queued" });
  };
  expect(await submit({ ...video, extraFields: { seconds: "12", model: "dearer" } })).toBe("video_1");
  const body = { model: "sora", prompt: "A cat", seconds: "4", size: "1280x720" };
  expect(sent).toEqual(["POST", "/v1/videos", body]);
});

test("images come with the reply to their order", async () => {
  answer = () => Response.json({ data: [{ b64_json: png.toString("base64") }] });
  expect(await submit(image)).toEqual([{ mimeType: "image/png", bytes: png }]);
});

test.each([
  ["fewer images than were ordered", { data: [] }],
  ["an address instead of an image", { data: [{ url: "https://example.com/a.png" }] }],
  ["text as an image", { data: [{ b64_json: Buffer.from("no picture").toString("base64") }] }],
])("%s is a refusal, so that the customer pays nothing", async (_, reply) => {
  answer = () => Response.json(reply);
  expect(await submit(image).catch((error: unknown) => error)).toMatchObject({ code: "provider_reply" });
});

test("an overloaded provider may get the order again, one that refuses it may not, and a wrong key is ours", async () => {
  answer = refuse(429, { code: "rate_limit_exceeded", message: "Later" });
  expect(await submit(video).catch((error: unknown) => error)).toBeInstanceOf(OrderNotSent);
  answer = refuse(400, { code: "content_policy_violation", message: "No" });
  const refusal = await submit(video).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(OrderRefused);
  expect(refusal).not.toBeInstanceOf(OrderMisrouted);
  expect(refusal).toMatchObject({ code: "content_policy_violation" });
  answer = refuse(401, { code: "invalid_api_key", message: "Wrong key" });
  expect(await submit(video).catch((error: unknown) => error)).toBeInstanceOf(OrderMisrouted);
});

test.each([
  [200, { status: "queued" }, { kind: "running", progress: null }],
  [200, { status: "in_progress", progress: 41.9 }, { kind: "running", progress: 41 }],
  [200, { status: "in_progress", progress: 900 }, { kind: "running", progress: null }],
  [200, { status: "completed" }, { kind: "succeeded", files: [{ position: 0 }] }],
  [
    200,
    { status: "failed", error: { code: "moderation", message: "No" } },
    { kind: "failed", code: "moderation" },
  ],
  [404, {}, { kind: "gone" }],
])("a poll that is answered with %i and %j is that state", async (status, reply, state) => {
  answer = () => Response.json(reply, { status });
  expect(await client.poll(remote, signal)).toMatchObject(state);
});

test.each([
  [500, {}],
  [200, { status: "dreaming" }],
])("a poll that is answered with %i and %j says nothing about the video", async (status, reply) => {
  answer = () => Response.json(reply, { status });
  expect(await client.poll(remote, signal).catch((error: unknown) => error)).toBeInstanceOf(Error);
});

test("a video that is not there is missing, and a failing provider may be asked for it again", async () => {
  const open = () => client.open(remote, { position: 0 }, signal).catch((error: unknown) => error);
  answer = () => Response.json({}, { status: 404 });
  expect(await open()).toBeInstanceOf(OutputMissing);
  answer = () => new Response("<html>", { headers: { "content-type": "text/html" } });
  expect(await open()).toBeInstanceOf(OutputMissing);
  answer = () => Response.json({}, { status: 500 });
  expect(await open()).not.toBeInstanceOf(OutputMissing);
});
