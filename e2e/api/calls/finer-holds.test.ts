import { describe, expect, test } from "bun:test";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import type { CallPreview } from "@/lib/contract/operations/calls/completions";
import { readReceipt } from "../../support/clients/read-requests";
import { fetchWithKey } from "../../support/clients/send";
import { serveForEach } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";
import { chatCompletion, startScriptedProvider } from "../../support/servers/scripted-provider";

const provider = startScriptedProvider();
const model = (id: string, upstream: string) => ({
  id,
  family: "chat",
  rate: "1",
  price: { input_per_1m: "1.00", output_per_1m: "1.00" },
  max_output_tokens: 1_000,
  routes: [{ provider: "fake", model: upstream }],
});
const config = JSON.stringify({
  providers: [
    { id: "fake", kind: "openai", base_url: provider.baseUrl, api_key: "provider-secret", circuit: false },
  ],
  models: [model("known", "gpt-4o"), model("unknown", "upstream-name")],
});

const CONTENT = "Which of the four seasons do you like best, and why?";
const OUTPUT = 20;
const usage = {
  prompt_tokens: countTokens(CONTENT) + 7,
  completion_tokens: OUTPUT,
  total_tokens: countTokens(CONTENT) + 7 + OUTPUT,
};
const AFFORDABLE = 20;
/** A nano-unit of currency times a thousand is a token; former calls are paid for, too. */
const balance = ((usage.total_tokens * (AFFORDABLE + 1)) / 1_000_000).toFixed(9);

let gateway: ServedGateway;
serveForEach(
  (served) => {
    gateway = served;
    provider.answerWith(() => Response.json(chatCompletion("Hi", usage)));
  },
  { config, balance, isExamined: true },
);

const send = (path: string, id: string, more: object = {}) =>
  fetchWithKey(`${gateway.baseUrl}${path}`, {
    key: gateway.key,
    body: { model: id, messages: [{ role: "user", content: CONTENT }], max_tokens: OUTPUT, ...more },
  });
const call = (id: string) => send("/chat/completions", id);

describe("calls at once for the last of a balance are held by what their prompts have", () => {
  test.each(["known", "unknown"])("of a model whose tokenizer is %s", async (id) => {
    expect((await call(id)).status).toBe(200);
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    let sent = 0;
    let decided = 0;
    const count = 5 * AFFORDABLE;
    const decide = () => {
      if (++decided >= count) open();
    };
    provider.answerWith(async () => {
      sent++;
      decide();
      await gate;
      return Response.json(chatCompletion("Hi", usage));
    });
    const statuses = await Promise.all(
      Array.from({ length: count }, async () => {
        const { status } = await call(id);
        if (status === 402) decide();
        return status;
      }),
    );
    const answered = statuses.filter((status) => status === 200).length;
    expect(answered).toBe(sent);
    expect(answered).toBeGreaterThanOrEqual(AFFORDABLE * 0.95);
    expect(answered).toBeLessThanOrEqual(AFFORDABLE);
    expect(statuses.filter((status) => status === 402)).toHaveLength(count - answered);
    const { available } = await gateway.admin<{ available: string }>("GET", "/organization/balance");
    expect(Number(available)).toBeGreaterThanOrEqual(0);
  });
});

test("a prompt that has more than it was held for is charged its hold, and the rest is the operator's", async () => {
  await call("unknown");
  const dear = { ...usage, prompt_tokens: 10 * usage.prompt_tokens };
  provider.answerWith(() => Response.json(chatCompletion("Hi", dear)));
  const reply = await call("unknown");
  const { hold, entries } = await readReceipt(gateway, reply.headers.get("x-request-id"));
  expect(entries.find(({ kind }) => kind === "charge")?.amount).toBe(hold?.amount);
  expect(entries.some(({ kind }) => kind === "provider_variance")).toBe(true);
});

test("a preview holds as the call does", async () => {
  await call("known");
  const preview = (await (await send("/chat/completions/preview", "known")).json()) as CallPreview;
  const { hold } = await readReceipt(gateway, (await call("known")).headers.get("x-request-id"));
  expect(preview.hold).toBe(hold?.amount ?? "");
});

describe("a prompt with a file by its id is held at the model's window, however little is left", () => {
  const content = [
    { type: "text", text: CONTENT },
    { type: "file", file: { file_id: "file_1" } },
  ];
  const messages = [{ role: "user", content }];

  test.each(["known", "unknown"])("of the balance, where the tokenizer is %s", async (id) => {
    await call(id);
    expect((await send("/chat/completions", id, { messages })).status).toBe(402);
    expect((await call(id)).status).toBe(200);
  });

  test.each(["known", "unknown"])("of a limit of tokens, where the tokenizer is %s", async (id) => {
    await gateway.admin("POST", "/organization/payments", { amount: "100.00" });
    await call(id);
    await gateway.setLimits(id, { max_tokens_per_1_minute: 5_000 });
    expect((await send("/chat/completions", id, { messages })).status).toBe(429);
    expect((await call(id)).status).toBe(200);
  });
});

test("a limit of tokens refuses no call whose prompt, counted finer, fits", async () => {
  await gateway.admin("POST", "/organization/payments", { amount: "100.00" });
  await gateway.setLimits("known", { max_tokens_per_1_minute: usage.total_tokens + 2 });
  expect((await send("/chat/completions/preview", "known")).status).toBe(200);
  expect((await call("known")).status).toBe(200);
  expect((await call("known")).status).toBe(429);
});
