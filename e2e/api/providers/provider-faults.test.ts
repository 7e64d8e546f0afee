import { describe, expect, test } from "bun:test";
import { listCharges, readHeld, untilNothingIsHeld } from "../../support/clients/list-charges";
import { fetchWithKey } from "../../support/clients/send";
import { until } from "../../support/clients/until";
import { isProviderFault } from "../../support/gateways/is-provider-fault";
import type { ServedGateway } from "../../support/gateways/serve-gateway";
import { serveScriptedForEach } from "../../support/gateways/serve-scripted";
import {
  chunkEvent,
  DONE,
  type ScriptedProvider,
  streamChunks,
  usageEvent,
} from "../../support/servers/scripted-provider";
import { lockDatabase } from "../../support/stored-data/query-database";

let provider: ScriptedProvider;
let gateway: ServedGateway;

serveScriptedForEach(
  (served) => {
    ({ provider, gateway } = served);
  },
  // Some tests lock the database.
  { isExpectedFault: (fault, where) => where === "funds" || isProviderFault(fault, where) },
);

async function call(stream = false) {
  const reply = await fetchWithKey(`${gateway.baseUrl}/chat/completions`, {
    key: gateway.key,
    body: { model: "fake", messages: [{ role: "user", content: "Hello" }], stream },
  });
  return { status: reply.status, headers: reply.headers, text: await reply.text() };
}

const held = () => readHeld(gateway);
const charges = async () =>
  (await listCharges(gateway)).map(({ basis, completion_tokens }) => ({ basis, completion_tokens }));

const failure = { code: 502, message: "Provider disconnected" };
const choice = { index: 0, message: { role: "assistant", content: "" }, finish_reason: null };

describe("a provider that fails costs nothing, and says nothing of its secrets", () => {
  test.each([
    [
      "401",
      () => Response.json({ error: { message: "Bad key provider-secret" } }, { status: 401 }),
      502,
      "provider_misconfigured",
    ],
    ["404", () => new Response("no such model", { status: 404 }), 502, "provider_misconfigured"],
    ["500", () => new Response("<html>stack</html>", { status: 500 }), 502, "provider_error"],
    ["504", () => new Response(null, { status: 504 }), 504, "provider_timeout"],
    ["HTML with 200", () => new Response("<html>"), 502, "provider_error"],
    ["JSON without choices", () => Response.json({ ok: true }), 502, "provider_error"],
    [
      "an error beside choices",
      () => Response.json({ error: failure, choices: [choice] }),
      502,
      "provider_error",
    ],
    [
      "a choice that ended in an error",
      () => Response.json({ choices: [{ ...choice, finish_reason: "error" }] }),
      502,
      "provider_error",
    ],
    [
      "a choice with an error",
      () => Response.json({ choices: [{ ...choice, error: failure }] }),
      502,
      "provider_error",
    ],
    ["a redirect", () => Response.redirect(`${provider.baseUrl}/chat/completions`), 502, "provider_error"],
    ["a body cut short", () => new Response('{"choices":[{'), 502, "provider_error"],
  ] as const)("%s", async (name, answer, status, code) => {
    provider.answerWith(answer);
    const reply = await call();
    expect([reply.status, JSON.parse(reply.text).error.code]).toEqual([status, code]);
    expect(reply.text).not.toContain("provider-secret");
    expect(provider.visits).toHaveLength(name === "500" ? 2 : 1);
    expect([await charges(), await held()]).toEqual([[], "0.00"]);
  });

  test("its opinion of the request is passed on", async () => {
    const error = { message: "top_k is not known", param: "top_k", type: "x" };
    provider.answerWith(() => Response.json({ error }, { status: 400 }));
    const reply = await call();
    expect(reply.status).toBe(400);
    expect(JSON.parse(reply.text).error).toMatchObject({
      type: "invalid_request_error",
      message: "The provider refused: top_k is not known",
      param: "top_k",
    });
  });

  test("a 429 keeps its retry-after", async () => {
    provider.answerWith(() => new Response(null, { status: 429, headers: { "retry-after": "17" } }));
    const reply = await call();
    expect([reply.status, reply.headers.get("retry-after")]).toEqual([429, "17"]);
  });

  test("a provider that isn't there", async () => {
    await provider.stop();
    expect((await call()).status).toBe(502);
    expect(await held()).toBe("0.00");
  });

  test("a stream that is no stream, or ends before its first event", async () => {
    provider.answerWith(() => new Response("<html>", { headers: { "content-type": "text/html" } }));
    expect((await call(true)).status).toBe(502);
    provider.answerWith(() => streamChunks([]));
    expect((await call(true)).text).toStartWith('data: {"error":');
    expect([await charges(), await held()]).toEqual([[], "0.00"]);
  });
});

describe("a stream that tells its failure in a chunk with choices", () => {
  const choices = (fields: object) => [{ index: 0, delta: { content: "" }, finish_reason: null, ...fields }];
  test.each([
    ["an error beside them", { error: failure, choices: choices({}) }],
    ["a choice that ended in an error", { choices: choices({ finish_reason: "error" }) }],
    ["a choice with an error", { choices: choices({ error: failure }) }],
  ])("by %s costs nothing before its first word", async (_name, chunk) => {
    provider.answerWith(() => streamChunks([`data: ${JSON.stringify(chunk)}\n\n`, DONE]));
    const { text } = await call(true);
    expect(JSON.parse(text.slice("data: ".length)).error.code).toBe("provider_error");
    await untilNothingIsHeld(gateway);
    expect(await charges()).toEqual([]);
    const log = await gateway.admin<{ data: object[] }>("GET", "/organization/requests");
    expect(log.data).toMatchObject([{ outcome: "provider_failed", status: 502 }]);
  });

  test("costs the words before it", async () => {
    const end = chunkEvent({ content: "" }, { error: failure });
    provider.answerWith(() => streamChunks([chunkEvent({ content: "a" }), end, DONE]));
    const { text } = await call(true);
    expect(text).toStartWith(chunkEvent({ content: "a" }));
    expect(text).not.toContain("[DONE]");
    await untilNothingIsHeld(gateway);
    expect(await charges()).toEqual([{ basis: "estimated", completion_tokens: 1 }]);
  });
});

describe("a stream that breaks ends in one error event, charged for what came", () => {
  const content = Array<string>(4).fill(chunkEvent({ content: "a" }));
  test.each([
    ["ends without [DONE]", () => streamChunks(content)],
    ["ends within an event", () => streamChunks([...content, 'data: {"choi'])],
    [
      "sends an error",
      () => streamChunks([...content, 'data: {"error":{"message":"provider-secret"}}\n\n', DONE]),
    ],
  ] as const)("%s", async (_name, answer) => {
    provider.answerWith(answer);
    const { text } = await call(true);
    expect(text).toStartWith(content.join(""));
    const rest = text.slice(content.join("").length);
    expect(JSON.parse(rest.slice("data: ".length)).error.code).toBe("provider_error");
    expect(text).not.toContain("provider-secret");
    expect(await charges()).toEqual([{ basis: "estimated", completion_tokens: 4 }]);
    expect(await held()).toBe("0.00");
  });

  test("an event without end does not fill the memory", async () => {
    const chunk = Buffer.alloc(1024 * 1024, "x");
    provider.answerWith(() => streamChunks(["data: ", ...Array<Uint8Array>(40).fill(chunk)]));
    const { text } = await call(true);
    expect(JSON.parse(text.slice("data: ".length)).error.code).toBe("provider_error");
  });
});

describe("while the store can't be written", () => {
  let unblock: () => Promise<void>;
  const block = async () => {
    unblock = await lockDatabase(gateway);
  };

  test("nothing goes to a provider, and nothing stays taken", async () => {
    await block();
    const reply = await call();
    await unblock();
    expect([reply.status, JSON.parse(reply.text).error.code]).toEqual([503, "store_unavailable"]);
    expect(provider.visits).toEqual([]);
    // The hold was in transit when the call was refused.
    await until(
      "the store is healthy",
      async () => (await fetch(gateway.baseUrl.replace("/v1", "/readyz"))).ok,
    );
    await untilNothingIsHeld(gateway);
    provider.answerWith(() =>
      Response.json({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } }),
    );
    expect((await call()).status).toBe(200);
  });

  test.each([
    ["a whole answer", false],
    ["the end of a stream", true],
  ])("%s is not given, because its charge is not on disk; the charge follows", async (_name, stream) => {
    const usage = { prompt_tokens: 1, completion_tokens: 1 };
    provider.answerWith(async () => {
      await block();
      return stream
        ? streamChunks([chunkEvent({ content: "a" }), usageEvent(usage), DONE])
        : Response.json({ choices: [], usage });
    });
    const { text } = await call(stream);
    expect(await charges()).toEqual([]);
    expect(text).not.toContain("[DONE]");
    expect(JSON.parse(text.slice(text.indexOf('{"error"'))).error.code).toBe("store_unavailable");
    await unblock();
    await untilNothingIsHeld(gateway);
    expect(await charges()).toHaveLength(1);
  });
});
