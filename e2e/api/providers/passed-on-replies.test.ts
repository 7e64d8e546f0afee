import { describe, expect, test } from "bun:test";
import { parseCheckedAmount, toNano } from "@/lib/money/amount";
import { listCharges, untilNothingIsHeld } from "../../support/clients/list-charges";
import { listOutcomes, readReceipt } from "../../support/clients/read-requests";
import { fetchWithKey } from "../../support/clients/send";
import type { ServedGateway } from "../../support/gateways/serve-gateway";
import { serveScriptedForEach } from "../../support/gateways/serve-scripted";
import {
  chatCompletion,
  chunkEvent,
  DONE,
  type ScriptedProvider,
  streamChunks,
  usageEvent,
} from "../../support/servers/scripted-provider";

let provider: ScriptedProvider;
let gateway: ServedGateway;

serveScriptedForEach((served) => {
  ({ provider, gateway } = served);
});

const call = (body: string, signal?: AbortSignal) =>
  fetchWithKey(`${gateway.baseUrl}/chat/completions`, {
    key: gateway.key,
    body,
    headers: { cookie: "a=b" },
    ...(signal && { signal }),
  });

const messages = '"messages":[{"role":"user","content":"Hello there"}]';
const plain = `{"model":"fake",${messages},"max_tokens":100}`;
const streamed = `{"model":"fake",${messages},"max_tokens":100,"stream":true}`;

const completion = (usage: unknown) => JSON.stringify(chatCompletion("Hello yourself", usage));

const charges = () => listCharges(gateway);

const usage = { prompt_tokens: 11, completion_tokens: 3, total_tokens: 14 };

describe("what passes through", () => {
  test("the caller's own bytes but for the model's name, the provider's own bytes, and neither's secrets", async () => {
    const odd = `{ "choices" : [],\n\t"usage": {"prompt_tokens":11, "completion_tokens":3},"x":1.0,"é":"\\u0041" }\n`;
    provider.answerWith(() => new Response(odd, { headers: { "x-secret": "1", "set-cookie": "a=b" } }));
    const body = `{ "model" : "fake",\n ${messages}, "seed": 12345678901234567890, "x": "\\u0041", "max_tokens": 9 }`;
    const reply = await call(body);
    expect([reply.status, await reply.text()]).toEqual([200, odd]);
    expect(reply.headers.get("x-secret") ?? reply.headers.get("set-cookie")).toBeNull();
    const [visit] = provider.visits;
    expect(visit?.body).toBe(body.replace('"fake"', '"upstream-name"'));
    expect(visit?.headers.get("authorization")).toBe("Bearer provider-secret");
    expect(visit?.headers.get("cookie")).toBeNull();
    expect(await charges()).toMatchObject([
      { amount: "0.000017", basis: "reported", prompt_tokens: 11, completion_tokens: 3 },
    ]);
  });

  test("a stream, byte for byte, however it is cut; its usage only to callers who ask", async () => {
    const events = [
      ": a comment\r\n\r\n",
      chunkEvent({ role: "assistant", content: "" }),
      chunkEvent({ content: 'é😀 "usage":{"prompt_tokens":1} [DONE]' }).replaceAll("\n", "\r\n"),
      chunkEvent({ content: "." }, { usage: null }),
    ];
    const bytes = Buffer.from([...events, usageEvent(usage), DONE].join(""));
    const bySeven = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, index) =>
      bytes.subarray(index * 7, index * 7 + 7),
    );
    provider.answerWith(() => streamChunks(bySeven));
    expect(await (await call(streamed)).text()).toBe([...events, DONE].join(""));
    const asking = streamed.replace("{", '{"stream_options":{"include_usage":true},');
    expect(await (await call(asking)).text()).toBe(bytes.toString());
    expect(provider.visits.map(({ body }) => JSON.parse(body).stream_options)).toEqual([
      { include_usage: true },
      { include_usage: true },
    ]);
    expect((await charges()).map(({ amount }) => amount)).toEqual(["0.000017", "0.000017"]);
  });

  test("a chunk leaves the moment it arrives", async () => {
    const { promise: later, resolve: goOn } = Promise.withResolvers<void>();
    provider.answerWith(() =>
      streamChunks([chunkEvent({ content: "first" }), later, usageEvent(usage), DONE]),
    );
    const reader = (await call(streamed)).body?.getReader();
    const first = await reader?.read();
    expect(Buffer.from(first?.value ?? []).toString()).toContain("first");
    goOn();
    while (!(await reader?.read())?.done);
  });

  test("prompt becomes the first system message", async () => {
    provider.answerWith(() => new Response(completion(usage)));
    await call(`{"prompt":"Be brief","model":"fake",${messages}}`);
    expect(JSON.parse(provider.visits[0]?.body ?? "")).toEqual({
      model: "upstream-name",
      max_tokens: 1_000,
      messages: [
        { role: "system", content: "Be brief" },
        { role: "user", content: "Hello there" },
      ],
    });
  });
});

describe("usage that can't be believed is estimated, and never charged above the hold", () => {
  const estimated = { basis: "estimated", completion_tokens: 4 };
  test.each([
    ["missing", undefined, estimated],
    ["null", null, estimated],
    ["negative", { prompt_tokens: 11, completion_tokens: -3 }, { ...estimated, prompt_tokens: 11 }],
    [
      "a fraction",
      { prompt_tokens: 1.5, completion_tokens: 3 },
      { basis: "estimated", completion_tokens: 3 },
    ],
    ["text", { prompt_tokens: "11", completion_tokens: "3" }, { basis: "reported", amount: "0.000017" }],
    ["huge", { prompt_tokens: 11, completion_tokens: 1e20 }, { ...estimated, prompt_tokens: 11 }],
    ["zeros", { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }, estimated],
  ])("%s", async (_name, reported, expected) => {
    provider.answerWith(() => new Response(completion(reported)));
    const reply = (await (await call(plain)).json()) as { usage: Record<string, number> };
    const [charge] = await charges();
    expect(charge).toMatchObject(expected);
    expect(reply.usage).toMatchObject({
      prompt_tokens: charge?.prompt_tokens,
      completion_tokens: charge?.completion_tokens,
    });
    await untilNothingIsHeld(gateway);
  });

  test("twice in one stream: the last counts", async () => {
    const first = usageEvent({ prompt_tokens: 900, completion_tokens: 90 });
    provider.answerWith(() => streamChunks([chunkEvent({ content: "a" }), first, usageEvent(usage), DONE]));
    await (await call(streamed)).text();
    expect(await charges()).toMatchObject([{ amount: "0.000017", basis: "reported" }]);
  });

  test("a stream without it ends with the charged usage, for callers who ask", async () => {
    provider.answerWith(() =>
      streamChunks([...Array(5).fill(chunkEvent({ content: "a" })), usageEvent(null), DONE]),
    );
    const asking = streamed.replace("{", '{"stream_options":{"include_usage":true},');
    const events = (await (await call(asking)).text()).trim().split("\n\n");
    const shown = JSON.parse(events.at(-2)?.slice("data: ".length) ?? "").usage;
    expect(await charges()).toMatchObject([{ basis: "estimated", completion_tokens: 5 }]);
    expect(shown.completion_tokens).toBe(5);
  });

  test("more than was held is the gateway's loss, not the customer's", async () => {
    provider.answerWith(() => new Response(completion({ prompt_tokens: 11, completion_tokens: 5_000 })));
    const reply = await call(plain);
    const { hold, entries } = await readReceipt(gateway, reply.headers.get("x-request-id"));
    const held = parseCheckedAmount(hold?.amount ?? "");
    const amounts = entries.map(({ kind, amount }) => [kind, parseCheckedAmount(amount)]);
    expect(amounts.toSorted()).toEqual([
      ["charge", held],
      ["provider_variance", toNano(11_000n + 10_000_000n - held)],
    ]);
  });
});

describe("a client that leaves", () => {
  test("mid-stream: the provider's call is stopped, and what was generated is charged", async () => {
    const never = new Promise<void>(() => {});
    provider.answerWith(() => streamChunks([...Array(8).fill(chunkEvent({ content: "a" })), never]));
    const leave = new AbortController();
    const reader = (await call(streamed, leave.signal)).body?.getReader();
    await reader?.read();
    leave.abort();
    await provider.visits[0]?.aborted;
    await untilNothingIsHeld(gateway);
    const [charge] = await charges();
    expect(charge?.basis).toBe("estimated");
    expect(charge?.completion_tokens).toBeGreaterThan(0);
    expect(charge?.completion_tokens).toBeLessThanOrEqual(8);
    expect(await listOutcomes(gateway)).toEqual(["client_gone"]);
  });

  test("before the first byte: the provider's call is stopped, and the prompt is charged", async () => {
    const leave = new AbortController();
    provider.answerWith(() => {
      leave.abort();
      return new Promise<Response>(() => {});
    });
    await call(plain, leave.signal).catch(() => {});
    await provider.visits[0]?.aborted;
    await untilNothingIsHeld(gateway);
    expect(await charges()).toMatchObject([{ basis: "estimated", completion_tokens: 0 }]);
  });
});
