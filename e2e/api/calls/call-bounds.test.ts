import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { parseCheckedAmount } from "@/lib/money/amount";
import { listCharges } from "../../support/clients/list-charges";
import { readReceipt } from "../../support/clients/read-requests";
import { fetchWithKey } from "../../support/clients/send";
import { isProviderFault } from "../../support/gateways/is-provider-fault";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";
import {
  chunkEvent,
  DONE,
  type ScriptedProvider,
  scriptedConfiguration,
  startScriptedProvider,
  streamChunks,
  usageEvent,
} from "../../support/servers/scripted-provider";

let provider: ScriptedProvider;
let gateway: ServedGateway;

beforeEach(() => {
  provider = startScriptedProvider();
});

afterEach(async () => {
  await gateway.close();
  await provider.stop();
});

const serve = async (limits: object = {}) => {
  gateway = await serveGateway({
    isExpectedFault: isProviderFault,
    config: scriptedConfiguration(provider, { ...limits }),
  });
};

const call = (more: object) =>
  fetchWithKey(`${gateway.baseUrl}/chat/completions`, {
    key: gateway.key,
    body: { model: "fake", messages: [{ role: "user", content: "Hello there" }], ...more },
  });

const charges = () => listCharges(gateway);
const toNumber = (amount = "") => Number(parseCheckedAmount(amount));

const completion = (usage: object) =>
  new Response(JSON.stringify({ choices: [{ index: 0, message: { content: "Hi" } }], usage }));
const usage = { prompt_tokens: 11, completion_tokens: 3, total_tokens: 14 };
const shownUsage = (text: string) =>
  JSON.parse(/.*"usage":(\{[^}]*\})/s.exec(text)?.[1] ?? "null") as Record<string, number> | null;
const words = (count: number) =>
  Array.from({ length: count }, (_, index) => chunkEvent({ content: `word${index} ` }));

describe("a provider gets the output limit that was held for, in one field", () => {
  test.each([
    [{}, "max_tokens"],
    [{ output_limit_field: "max_completion_tokens" }, "max_completion_tokens"],
  ])("%#", async (limits, field) => {
    await serve(limits);
    provider.answerWith(() => completion(usage));
    for (const asked of [{}, { max_tokens: 9 }, { max_completion_tokens: 9 }]) await call(asked);
    const bounds = provider.visits.map(({ body }) => {
      const { max_tokens, max_completion_tokens } = JSON.parse(body);
      return { max_tokens, max_completion_tokens };
    });
    expect(bounds).toEqual([1_000, 9, 9].map((most) => ({ [field]: most })) as typeof bounds);
  });

  test("OpenAI by its newer name, other providers by the older, unless configured otherwise", async () => {
    await serve();
    const add = (id: string, base_url: string, more: object = {}) =>
      gateway.admin<{ output_limit_field: string }>("POST", "/organization/providers", {
        id,
        kind: "openai",
        base_url,
        ...more,
      });
    const added = [
      await add("a", "https://api.openai.com/v1"),
      await add("b", "https://notopenai.com/v1"),
      await add("c", "https://some.openai.azure.com/openai/v1"),
      await add("d", "http://127.0.0.1:9/v1", { output_limit_field: "max_completion_tokens" }),
    ].map(({ output_limit_field }) => output_limit_field);
    const newer = "max_completion_tokens";
    expect(added).toEqual([newer, "max_tokens", newer, newer]);
    await gateway.restart();
    const { data } = await gateway.admin<{ data: { id: string; output_limit_field: string }[] }>(
      "GET",
      "/organization/providers",
    );
    expect(
      data.filter(({ id }) => id.length === 1).map(({ output_limit_field }) => output_limit_field),
    ).toEqual(added);
  });

  test("two numbers for it are refused, and cost nothing", async () => {
    await serve();
    const reply = await call({ max_tokens: 1, max_completion_tokens: 900 });
    expect([reply.status, ((await reply.json()) as { error: object }).error]).toEqual([
      400,
      expect.objectContaining({ param: "max_completion_tokens", code: "invalid_value" }),
    ]);
    expect(provider.visits).toEqual([]);
    expect(await charges()).toEqual([]);
  });
});

describe("a provider that writes more than it was allowed", () => {
  test("is stopped there: the stream ends as it does at max_tokens, and the hold is the most it costs", async () => {
    await serve();
    const never = new Promise<void>(() => {});
    provider.answerWith(() => streamChunks([...words(100), never]));
    const reply = await call({ max_tokens: 5, stream: true, stream_options: { include_usage: true } });
    const events = (await reply.text()).trim().split("\n\n");
    await provider.visits[0]?.aborted;
    expect(events.slice(0, 5).join("\n\n")).toBe(words(5).join("").trim());
    const end = JSON.parse(events[5]?.slice("data: ".length) ?? "");
    expect(end).toMatchObject({ id: "c1", choices: [{ index: 0, delta: {}, finish_reason: "length" }] });
    expect(events.at(-1)).toBe("data: [DONE]");
    const { hold, entries } = await readReceipt(gateway, reply.headers.get("x-request-id"));
    const [charge] = entries;
    expect(charge).toMatchObject({ kind: "charge", basis: "estimated", completion_tokens: 5 });
    expect(toNumber(charge?.amount)).toBeLessThanOrEqual(toNumber(hold?.amount));
    expect(shownUsage(events.join("\n\n"))).toMatchObject({ completion_tokens: 5 });
  });

  test("shows the charged usage in its reply", async () => {
    await serve();
    const beyond = { prompt_tokens: 11, completion_tokens: 5_000, total_tokens: 5_011 };
    provider.answerWith(({ body }) =>
      JSON.parse(body).stream
        ? streamChunks([chunkEvent({ content: "a" }), usageEvent(beyond), DONE])
        : completion(beyond),
    );
    for (const more of [{}, { stream: true, stream_options: { include_usage: true } }]) {
      const shown = shownUsage(await (await call({ max_tokens: 100, ...more })).text());
      const amount = toNumber((await charges()).at(-1)?.amount);
      // 1.00 a million in, 2.00 out, and the hold may end within a token.
      const worth = Number(shown?.prompt_tokens) * 1_000 + Number(shown?.completion_tokens) * 2_000;
      expect(worth).toBeLessThanOrEqual(amount);
      expect(worth).toBeGreaterThan(amount - 2_000);
      expect(shown?.total_tokens).toBe(Number(shown?.prompt_tokens) + Number(shown?.completion_tokens));
    }
  });
});

describe("a usage that is not the last word", () => {
  const early = usageEvent({ prompt_tokens: 11, completion_tokens: 1 });
  const asking = { max_tokens: 500, stream: true, stream_options: { include_usage: true } };

  test("does not make a stream that breaks off cheaper than what it brought", async () => {
    await serve();
    provider.answerWith(() => streamChunks([early, ...words(120)]));
    await (await call(asking)).text();
    const [charge] = await charges();
    expect(charge).toMatchObject({ basis: "estimated", prompt_tokens: 11 });
    expect(Number(charge?.completion_tokens)).toBeGreaterThanOrEqual(120);
  });

  test("does not make a stream that ends well cheaper; the usage shown is the usage charged", async () => {
    await serve();
    provider.answerWith(() => streamChunks([early, ...words(120), DONE]));
    const text = await (await call(asking)).text();
    const [charge] = await charges();
    expect(Number(charge?.completion_tokens)).toBeGreaterThanOrEqual(120);
    expect(text.match(/"usage":\{/g)).toHaveLength(1);
    expect(shownUsage(text)?.completion_tokens).toBe(Number(charge?.completion_tokens));
  });

  test("is corrected for chunks in another spelling, too", async () => {
    await serve();
    const spaced = words(120).map((event) => event.replace('"delta":', '"delta" : '));
    provider.answerWith(() => streamChunks(spaced));
    await (await call(asking)).text();
    expect(Number((await charges())[0]?.completion_tokens)).toBeGreaterThanOrEqual(120);
  });
});
