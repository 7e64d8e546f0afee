import { describe, expect, test } from "bun:test";
import OpenAI, { APIError } from "openai";
import type { RateLimitField } from "@/lib/contract/calls/rate-limit-table";
import { chatLine, createBatchClient } from "../../support/clients/batch-client";
import { serveForEach } from "../../support/gateways/serve-for-tests";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";

/** The specification's section 8. */
let gateway: ServedGateway;
let client: OpenAI;

serveForEach((served) => {
  gateway = served;
  client = new OpenAI({ baseURL: gateway.baseUrl, apiKey: gateway.key, maxRetries: 0 });
});

const ask = () =>
  client.chat.completions.create({
    model: "sandbox-echo",
    messages: [{ role: "user", content: "Two words" }],
    max_tokens: 2,
  });
const paint = () =>
  client.images.generate({ model: "sandbox-image", prompt: "x", n: 2, size: "16x16" as never });
const transcribe = () =>
  client.audio.transcriptions.create({
    model: "sandbox-transcribe",
    file: new File([new Uint8Array(1_500_000)], "a.wav"),
  });
const batch = async () => {
  const batches = createBatchClient(gateway);
  return client.batches.create({
    input_file_id: await batches.upload([chatLine("1", "Four words are here")]),
    endpoint: "/v1/chat/completions",
    completion_window: "24h",
  });
};
const catchRefusal = async (call: Promise<unknown>): Promise<APIError> => {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof APIError) return error;
  throw new Error(`It was not refused: ${error}`);
};

/** A limit that the call just exceeds, on its model. */
const units: readonly [RateLimitField, string, number, () => Promise<unknown>][] = [
  ["max_requests_per_1_minute", "sandbox-echo", 0, ask],
  ["max_tokens_per_1_minute", "sandbox-echo", 3, ask],
  ["max_images_per_1_minute", "sandbox-image", 1, paint],
  ["max_audio_megabytes_per_1_minute", "sandbox-transcribe", 1, transcribe],
  ["max_requests_per_1_day", "sandbox-echo", 0, ask],
  ["batch_1_day_max_input_tokens", "sandbox-echo", 3, batch],
];

describe("8. Limits", () => {
  test.each(units)(
    "%s of %s at %d answers with 429, takes nothing, and one more is enough",
    async (...unit) => {
      const [field, model, limit, call] = unit;
      await gateway.setLimits(model, { [field]: limit });
      const balance = await gateway.admin("GET", "/organization/balance");
      const refused = await catchRefusal(call());
      expect([refused.status, refused.type, refused.code]).toEqual([429, "rate_limit_error", field]);
      expect(refused.error).toMatchObject({
        limit: { field, max: limit, project: gateway.projectId, model },
      });
      expect(await gateway.admin("GET", "/organization/balance")).toEqual(balance as object);
      await gateway.setLimits(model, { [field]: limit + 1 });
      const passing = setInterval(() => gateway.pass(250), 10);
      try {
        expect(await call()).toBeDefined();
      } finally {
        clearInterval(passing);
      }
    },
  );

  test("a refusal says when to try again, and then the call passes", async () => {
    await gateway.setLimits("sandbox-echo", { max_requests_per_1_minute: 1 });
    await ask();
    const { headers } = await catchRefusal(ask());
    gateway.pass(Number(headers?.get("retry-after")) * 1_000);
    expect((await ask()).object).toBe("chat.completion");
  });

  test("a limit is one project's: another project's calls pass", async () => {
    await gateway.setLimits("sandbox-echo", { max_requests_per_1_minute: 0 });
    const project = await gateway.admin<{ id: string }>("POST", "/organization/projects", { name: "Other" });
    const { value } = await gateway.admin<{ value: string }>(
      "POST",
      `/organization/projects/${project.id}/api_keys`,
      { name: "Other" },
    );
    expect((await catchRefusal(ask())).status).toBe(429);
    client = new OpenAI({ baseURL: gateway.baseUrl, apiKey: value, maxRetries: 0 });
    expect((await ask()).object).toBe("chat.completion");
  });

  test("402 answers where the shared balance is insufficient, whatever the model", async () => {
    const poor = await serveGateway({ balance: "0.00" });
    client = new OpenAI({ baseURL: poor.baseUrl, apiKey: poor.key, maxRetries: 0 });
    for (const call of [ask, paint, transcribe]) {
      const refused = await catchRefusal(call());
      expect([refused.status, refused.type]).toEqual([402, "insufficient_balance"]);
    }
    await poor.close();
  });
});
