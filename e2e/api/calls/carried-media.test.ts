import { describe, expect, test } from "bun:test";
import { MINUTE_MS } from "@/lib/contract/durations";
import { fetchWithKey } from "../../support/clients/send";
import type { ServedGateway } from "../../support/gateways/serve-gateway";
import { serveScriptedForAll } from "../../support/gateways/serve-scripted";
import { type ScriptedProvider, scriptedConfiguration } from "../../support/servers/scripted-provider";

let provider: ScriptedProvider;
let gateway: ServedGateway;

serveScriptedForAll(
  (scripted) => scriptedConfiguration(scripted),
  (served) => {
    ({ provider, gateway } = served);
  },
);

const image = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };
const audio = (bytes: number) => ({
  type: "input_audio",
  input_audio: { data: Buffer.alloc(bytes).toString("base64"), format: "wav" },
});
const file = { type: "file", file: { file_id: "file_1" } };

async function call(parts: readonly object[], more: object = {}) {
  const content = [{ type: "text", text: "Hello" }, ...parts];
  const body = { model: "fake", max_tokens: 9, messages: [{ role: "user", content }], ...more };
  const reply = await fetchWithKey(`${gateway.baseUrl}/chat/completions`, { key: gateway.key, body });
  const { error } = (await reply.json()) as { error?: { code: string; limit?: object; balance?: object } };
  return { status: reply.status, error, retryAfter: reply.headers.get("retry-after") };
}

const answer = (promptTokens: number) => () =>
  Response.json({ choices: [], usage: { prompt_tokens: promptTokens, completion_tokens: 1 } });

describe("what a chat carries counts in the limits", () => {
  test("images, each one, with the limit's name and a true wait", async () => {
    provider.answerWith(answer(9));
    await gateway.setLimits("fake", { max_images_per_1_minute: 3 });
    expect((await call([image, image])).status).toBe(200);
    const refused = await call([image, image]);
    expect([refused.status, refused.error]).toEqual([
      429,
      expect.objectContaining({
        code: "max_images_per_1_minute",
        limit: expect.objectContaining({ max: 3, used: 2, requested: 2 }),
      }),
    ]);
    expect((await call([image])).status).toBe(200);
    gateway.pass(Number(refused.retryAfter) * 1000);
    expect((await call([image, image])).status).toBe(200);
    await gateway.setLimits("fake", { max_images_per_1_minute: 0 });
    expect((await call([image])).error?.code).toBe("max_images_per_1_minute");
    expect((await call([])).status).toBe(200);
    await gateway.setLimits("fake", { max_images_per_1_minute: null });
  });

  test("audio by its megabytes", async () => {
    provider.answerWith(answer(9));
    await gateway.setLimits("fake", { max_audio_megabytes_per_1_minute: 3 });
    expect((await call([audio(1_500_000)])).status).toBe(200);
    expect((await call([audio(1_500_000)])).error).toMatchObject({
      code: "max_audio_megabytes_per_1_minute",
      limit: { max: 3, used: 2, requested: 2 },
    });
    await gateway.setLimits("fake", { max_audio_megabytes_per_1_minute: 0 });
    expect((await call([audio(3)])).error?.code).toBe("max_audio_megabytes_per_1_minute");
    await gateway.setLimits("fake", { max_audio_megabytes_per_1_minute: null });
    gateway.pass(61_000);
  });
});

describe("a prompt by reference", () => {
  test("is held at all that the model reads, and charged at what it was", async () => {
    provider.answerWith(answer(90_000));
    const before = await gateway.admin<{ available: string }>("GET", "/organization/balance");
    expect((await call([file])).status).toBe(200);
    const { available } = await gateway.admin<{ available: string }>("GET", "/organization/balance");
    expect(Number(before.available) - Number(available)).toBeCloseTo(0.090002, 9);
    gateway.pass(61_000);
  });

  test("is refused where that doesn't fit, sixty at once too", async () => {
    provider.answerWith(answer(9_016));
    await gateway.setLimits("fake", { max_tokens_per_1_minute: 5_000 });
    const visitsBefore = provider.visits.length;
    const replies = await Promise.all(Array.from({ length: 60 }, () => call([file])));
    expect(new Set(replies.map(({ error }) => error?.code))).toEqual(new Set(["max_tokens_per_1_minute"]));
    expect(provider.visits.length).toBe(visitsBefore);
  });

  test("text that turns out longer is counted before any other call is admitted", async () => {
    provider.answerWith(answer(9_016));
    const replies = await Promise.all(Array.from({ length: 60 }, () => call([])));
    const passed = replies.filter(({ status }) => status === 200).length;
    expect(passed).toBeGreaterThan(1);
    const refused = await call([]);
    // Each used 9,017 of 5,000 per minute.
    const minutes = Math.floor((passed * 9_017) / 5_000);
    expect(Number(refused.retryAfter)).toBeGreaterThanOrEqual((minutes - 1) * 60);
    gateway.pass((minutes - 2) * MINUTE_MS);
    expect((await call([])).status).toBe(429);
    gateway.pass(Number(refused.retryAfter) * 1000 - (minutes - 2) * MINUTE_MS);
    expect((await call([])).status).toBe(200);
  });
});
