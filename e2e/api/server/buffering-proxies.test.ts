import { afterAll, expect, test } from "bun:test";
import { fetchWithKey } from "../../support/clients/send";
import { createTaskClient } from "../../support/clients/task-client";
import { serveForAll } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";
import { type BufferingProxy, startBufferingProxy } from "../../support/servers/buffering-proxy";

let gateway: ServedGateway;
let proxy: BufferingProxy;

serveForAll((served) => {
  gateway = served;
});
afterAll(() => proxy?.stop());

const messages = [{ role: "user", content: "one two three four five six seven eight" }];

test("a streamed answer comes word by word through a proxy that buffers", async () => {
  proxy = await startBufferingProxy(new URL(gateway.baseUrl).origin);
  const reply = await fetchWithKey(`${proxy.origin}/v1/chat/completions`, {
    method: "POST",
    key: gateway.key,
    body: { model: "sandbox-slow", stream: true, messages },
  });
  const reader = reply.body?.getReader();
  const { value } = (await reader?.read()) ?? {};
  const first = new TextDecoder().decode(value);
  expect(first).toContain("chat.completion.chunk");
  expect(first).not.toContain("[DONE]");
  await reader?.cancel();
});

test.each([
  ["a chat completion", "/chat/completions", { model: "sandbox-echo", stream: true, messages }],
  ["a message", "/messages", { model: "sandbox-echo", stream: true, max_tokens: 20, messages }],
  ["speech", "/audio/speech", { model: "sandbox-speech", input: "one two", voice: "alloy" }],
  [
    "pictures in base64",
    "/images/generations",
    {
      model: "sandbox-image",
      prompt: "x",
      size: "16x16",
      response_format: "b64_json",
      sandbox: { takes_ms: 0 },
    },
  ],
])("%s is sent as it is made, and says so to proxies", async (_, path, body) => {
  const client = createTaskClient(gateway);
  const reply = await client.whileTimePasses(
    fetchWithKey(`${gateway.baseUrl}${path}`, { method: "POST", key: gateway.key, body }),
  );
  expect([reply.status, reply.headers.get("x-accel-buffering")]).toEqual([200, "no"]);
  await reply.body?.cancel();
});

test.each([
  ["events of limits", "/organization/limits/usage", "text/event-stream", "no"],
  ["an export", "/organization/projects", "text/csv", "no"],
  ["a list, which is in memory", "/organization/projects", "application/json", null],
])("%s", async (_, path, accept, expected) => {
  const reply = await fetchWithKey(`${gateway.baseUrl}${path}`, {
    key: gateway.adminKey,
    headers: { accept },
  });
  expect([reply.status, reply.headers.get("x-accel-buffering")]).toEqual([200, expected]);
  await reply.body?.cancel();
});
