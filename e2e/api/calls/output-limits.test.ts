import { describe, expect, test } from "bun:test";
import type { CallPreview } from "@/lib/contract/operations/calls/completions";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import { chatLine, createBatchClient } from "../../support/clients/batch-client";
import { readReceipt } from "../../support/clients/read-requests";
import { fetchWithKey } from "../../support/clients/send";
import { serveForEach } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";
import {
  chatCompletion,
  chunkEvent,
  DONE,
  startScriptedProvider,
  streamChunks,
  usageEvent,
} from "../../support/servers/scripted-provider";

const provider = startScriptedProvider();
const model = (id: string, more: object) => ({
  id,
  family: "chat",
  rate: "1",
  price: { input_per_1m: "1.00", output_per_1m: "2.00" },
  routes: [{ provider: "fake", model: "upstream-name" }],
  rate_limits: { max_tokens_per_1_minute: 1_000_000_000 },
  ...more,
});
const config = JSON.stringify({
  providers: [
    { id: "fake", kind: "openai", base_url: provider.baseUrl, api_key: "provider-secret", circuit: false },
  ],
  models: [
    model("open", {}),
    model("windowed", { context_window: 50_000 }),
    model("limited", { max_output_tokens: 1_000 }),
  ],
});

let gateway: ServedGateway;
serveForEach(
  (served) => {
    gateway = served;
    provider.visits.length = 0;
  },
  { config, balance: "100.00", isExamined: true },
);

const messages = [{ role: "user", content: "Hello there" }];
const send = (path: string, body: object, headers: Record<string, string> = {}) =>
  fetchWithKey(`${gateway.baseUrl}${path}`, { key: gateway.key, body: { messages, ...body }, headers });
const call = (body: object) => send("/chat/completions", body);
const readSettings = async (reply: Response) =>
  (await readReceipt(gateway, reply.headers.get("x-request-id"))).settings;
const sentBodies = () => provider.visits.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
const limitOf = (reply: Response) => reply.headers.get("x-gatehouse-max-tokens");
const usage = (completion_tokens: number) => ({
  prompt_tokens: 11,
  completion_tokens,
  total_tokens: 11 + completion_tokens,
});

describe("an output limit above the model's is lowered to it, and said", () => {
  test.each([
    ["a whole answer", "/chat/completions", {}],
    ["a stream", "/chat/completions", { stream: true }],
    ["a message", "/messages", {}],
    ["a streamed message", "/messages", { stream: true }],
  ])("of %s", async (_, path, more) => {
    const reply = await send(
      path,
      { model: "sandbox-echo", max_tokens: 200_000, ...more },
      { "anthropic-version": "2023-06-01" },
    );
    expect([reply.status, limitOf(reply)]).toEqual([200, "64000"]);
    expect(await reply.text()).toContain("there");
    const { settings, hold } = await readReceipt(gateway, reply.headers.get("x-request-id"));
    expect(settings).toMatchObject({ max_tokens: 200_000, lowered_to: 64_000, lowered_by: "model" });
    // 2 tokens in at 1.00 and 64,000 out at 2.00 a million, at a rate of 0.5.
    expect(hold?.amount).toBe("0.064001");
  });

  test("under either name, to the provider by the one that it knows", async () => {
    provider.answerWith(() => Response.json(chatCompletion("Hi", usage(1))));
    for (const field of ["max_tokens", "max_completion_tokens"])
      expect(limitOf(await call({ model: "limited", [field]: 32_000 }))).toBe("1000");
    expect(sentBodies().map(({ max_tokens }) => max_tokens)).toEqual([1_000, 1_000]);
  });

  test("of a window that is smaller than it, where the model has no limit", async () => {
    provider.answerWith(() => Response.json(chatCompletion("Hi", usage(1))));
    const reply = await call({ model: "windowed", max_tokens: 64_000 });
    expect([limitOf(reply), sentBodies()[0]?.max_tokens]).toEqual(["50000", 50_000]);
  });

  test("in a preview, and in a line of a batch", async () => {
    const preview = await send("/chat/completions/preview", { model: "sandbox-echo", max_tokens: 200_000 });
    expect((await preview.json()) as CallPreview).toMatchObject({
      max_output_tokens: 64_000,
      hold: "0.064001",
    });
    const batches = createBatchClient(gateway);
    const made = await batches.create([chatLine("a", "one two", { max_tokens: 200_000 })]);
    const ended = await batches.follow(made.id);
    expect(ended.request_counts).toEqual({ total: 1, completed: 1, failed: 0 });
  });

  test.each([0, -1, 1.5, "5"])("but one that is none is refused: %p", async (max_tokens) => {
    const reply = await call({ model: "sandbox-echo", max_tokens });
    expect([reply.status, ((await reply.json()) as { error: { param: string } }).error.param]).toEqual([
      400,
      "max_tokens",
    ]);
  });
});

describe("where nobody has named a limit, none is invented", () => {
  const long = 40_000;

  test("a whole answer comes as long as it is, and is charged as that", async () => {
    provider.answerWith(() => Response.json(chatCompletion("word ".repeat(long), usage(long))));
    const reply = await call({ model: "open", max_tokens: null });
    expect(Object.keys(sentBodies()[0] ?? {})).toEqual(["messages", "model"]);
    expect([reply.status, limitOf(reply)]).toEqual([200, null]);
    const { entries, settings } = await readReceipt(gateway, reply.headers.get("x-request-id"));
    expect(entries).toMatchObject([{ kind: "charge", completion_tokens: long, basis: "reported" }]);
    expect(settings).toMatchObject({ max_tokens: null, lowered_to: null, lowered_by: null });
  });

  test("and so does a stream", async () => {
    const events = Array.from({ length: long }, () => chunkEvent({ content: "word " })).join("");
    provider.answerWith(() => streamChunks([events, usageEvent(usage(long)), DONE]));
    const reply = await call({ model: "open", stream: true });
    expect(limitOf(reply)).toBeNull();
    expect((await reply.text()).match(/"word "/g)).toHaveLength(long);
    const { entries } = await readReceipt(gateway, reply.headers.get("x-request-id"));
    expect(entries).toMatchObject([{ kind: "charge", completion_tokens: long, basis: "reported" }]);
  });

  test("a limit that its client names goes on as it is", async () => {
    provider.answerWith(() => Response.json(chatCompletion("Hi", usage(1))));
    const reply = await call({ model: "open", max_tokens: 200_000 });
    expect([limitOf(reply), sentBodies()[0]?.max_tokens]).toEqual([null, 200_000]);
  });

  test("a model that is added without a limit has none, also after a restart", async () => {
    const { rate_limits: _, ...draft } = model("added", {});
    await gateway.admin("POST", "/organization/models", { ...draft });
    await gateway.restart();
    const path = "/organization/models/added";
    expect((await gateway.admin<OrganizationModel>("GET", path)).max_output_tokens).toBeNull();
  });
});

describe("where the balance doesn't cover many answers of that length", () => {
  /** 0.26 covers 128,000 tokens of output, and a fiftieth of it 2,600. */
  const spendTo = async (left: string) => {
    const { available } = await gateway.admin<{ available: string }>("GET", "/organization/balance");
    const amount = (Number(available) - Number(left)).toFixed(2);
    provider.answerWith(() => Response.json(chatCompletion("Hi", { ...usage(1), prompt_tokens: 0 })));
    await gateway.admin("POST", "/organization/models/limited", {
      price: { input_per_1m: "0", output_per_1m: String(Number(amount) * 1_000_000) },
    });
    await call({ model: "limited", max_tokens: 1 });
    provider.visits.length = 0;
  };

  test("an answer is held for 16,384 tokens, and the provider told so", async () => {
    await spendTo("0.30");
    const reply = await call({ model: "open" });
    expect([limitOf(reply), sentBodies()[0]?.max_tokens]).toEqual(["16384", 16_384]);
    expect(await readSettings(reply)).toMatchObject({
      max_tokens: null,
      lowered_to: 16_384,
      lowered_by: "balance",
    });
  });

  test("or for what is left; a stream ends where its hold ends", async () => {
    await spendTo("0.01");
    const never = new Promise<void>(() => {});
    const words = Array.from({ length: 6_000 }, () => chunkEvent({ content: "word " })).join("");
    provider.answerWith(() => streamChunks([words, never]));
    const reply = await call({ model: "open", stream: true });
    const limit = Number(limitOf(reply));
    expect(limit).toBeGreaterThan(4_900);
    expect(limit).toBeLessThan(5_000);
    const text = await reply.text();
    expect(text.match(/"word "/g)).toHaveLength(limit);
    expect(text).toContain('"finish_reason":"length"');
    const { hold, entries } = await readReceipt(gateway, reply.headers.get("x-request-id"));
    expect(entries).toMatchObject([{ kind: "charge", basis: "estimated", completion_tokens: limit }]);
    expect(Number(entries[0]?.amount)).toBeLessThanOrEqual(Number(hold?.amount));
  });
});
