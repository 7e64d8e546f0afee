import { beforeEach, describe, expect, test } from "bun:test";
import { listCharges, readHeld, untilNothingIsHeld } from "../../support/clients/list-charges";
import { listOutcomes } from "../../support/clients/read-requests";
import { fetchWithKey } from "../../support/clients/send";
import { isProviderFault } from "../../support/gateways/is-provider-fault";
import type { ServedGateway } from "../../support/gateways/serve-gateway";
import { serveScriptedForAll } from "../../support/gateways/serve-scripted";
import {
  chunkEvent,
  DONE,
  type ScriptedProvider,
  scriptedConfiguration,
  streamChunks,
} from "../../support/servers/scripted-provider";

let provider: ScriptedProvider;
let gateway: ServedGateway;

serveScriptedForAll(
  (served) => scriptedConfiguration(served),
  (served) => {
    ({ provider, gateway } = served);
  },
  { isExpectedFault: isProviderFault },
);

beforeEach(() => gateway.pass(1_000));

const REASON = "The model is not loaded";
/** The ways in which servers write an error; most have the code beside it. */
const forms: readonly [string, string][] = (
  [
    ["an error", { error: { message: REASON, code: "not_loaded" } }],
    ["a list with an error", [{ error: { message: REASON, code: 400, status: "not_loaded" } }]],
    ["an error of a type", { type: "error", error: { type: "not_loaded", message: REASON } }],
    ["an error that is a text", { error: REASON, code: "not_loaded" }],
    ["a message on top", { object: "error", message: REASON, type: "not_loaded", code: 400 }],
    ["a message that is an object", { message: { message: REASON, code: "not_loaded" } }],
    ["a detail", { detail: REASON, code: "not_loaded" }],
    ["a list of details", { detail: [{ loc: ["body", "model"], msg: REASON, type: "not_loaded" }] }],
    ["a list of errors", { errors: [{ message: REASON, code: "not_loaded" }] }],
    ["a code and its words", { code: "not_loaded", msg: REASON }],
    ["a code and its description", { error: "not_loaded", error_description: REASON }],
    ["JSON within a text", { error: JSON.stringify({ error: { message: REASON, code: "not_loaded" } }) }],
    ["words in an object of another name", { base_resp: { status_code: "not_loaded", status_msg: REASON } }],
  ] as const
).map(([name, error]) => [name, JSON.stringify(error)]);

async function ask(key: string, stream = false) {
  const reply = await fetchWithKey(`${gateway.baseUrl}/chat/completions`, {
    key,
    body: { model: "fake", messages: [{ role: "user", content: "Hello" }], stream },
    headers: { "openai-project": gateway.projectId },
  });
  const text = await reply.text();
  const [json = "{}"] = /\{"error".*/.exec(text) ?? [];
  return { status: reply.status, text, error: JSON.parse(json).error ?? {} };
}

describe.each(forms)("an error written as %s", (_form, error) => {
  test("with status 400 is told to the caller", async () => {
    provider.answerWith(() => new Response(error, { status: 400 }));
    expect(await ask(gateway.key)).toMatchObject({
      status: 400,
      error: { message: `The provider refused: ${REASON}`, provider_code: "not_loaded" },
    });
  });

  test.each([
    ["in place of a whole answer", false, () => new Response(error)],
    ["in place of a stream", true, () => streamChunks([`data: ${error}\n\n`, DONE])],
    ["in place of a stream, without [DONE]", true, () => streamChunks([`data: ${error}\n\n`])],
    ["as an event of that name", true, () => streamChunks([`event: error\ndata: ${error}\n\n`, DONE])],
    ["as plain JSON in a stream", true, () => streamChunks([error])],
    ["as a field of a stream", true, () => streamChunks([`error: ${error}\n\n`, DONE])],
  ])("with status 200 %s is a failure that costs nothing", async (_where, stream, answer) => {
    const before = await listCharges(gateway);
    provider.answerWith(answer);
    const told = await ask(gateway.adminKey, stream);
    expect(told.error).toMatchObject({ code: "provider_error", provider_code: "not_loaded" });
    expect(told.error.message).toContain("You were not charged");
    expect(told.error.message).toContain(REASON);
    expect(told.text).not.toContain("data: [DONE]");
    expect((await ask(gateway.key, stream)).error.message).not.toContain(REASON);
    await untilNothingIsHeld(gateway);
    expect((await listOutcomes(gateway)).slice(0, 2)).toEqual(["provider_failed", "provider_failed"]);
    expect(await listCharges(gateway)).toEqual(before);
  });
});

test("the words of an error within a stream are told, and what came before is charged", async () => {
  const error = 'event: error\ndata: {"detail":"No memory for provider-secret"}\n\n';
  provider.answerWith(() => streamChunks([chunkEvent({ content: "Hi" }), error, DONE]));
  const { error: told, text } = await ask(gateway.adminKey, true);
  expect(told.message).toContain("You pay only for what was generated until then");
  expect(told.message).toContain("No memory for ***");
  expect(text).not.toContain("data: [DONE]");
  expect(await readHeld(gateway)).toBe("0.00");
});

test.each([
  ["a text", "No such field: top_k", "No such field: top_k"],
  ["a page", "<html><head><title>Bad Gateway</title></head><body>stack</body></html>", "Bad Gateway"],
  ["a page without a title", "<html><body>stack</body></html>", "status 400, without a reason"],
  ["JSON without words", '{"success":false}', '{"success":false}'],
  ["nothing", "", "status 400, without a reason"],
  ["its key in escapes", '{"message":"Key provider\\u002dsecret"}', "Key ***"],
])("an error that is %s", async (_form, body, words) => {
  provider.answerWith(() => new Response(body, { status: 400 }));
  expect((await ask(gateway.key)).error.message).toBe(`The provider refused: ${words}`);
});

test.each(["context_length_exceeded", "content_filter"])(
  "%s is told to clients where they branch, also with status 200",
  async (code) => {
    provider.answerWith(() => Response.json({ error: { message: "No.", code } }));
    expect(await ask(gateway.key)).toMatchObject({
      status: 400,
      error: { type: "invalid_request_error", code, provider_code: code },
    });
    expect(await readHeld(gateway)).toBe("0.00");
  },
);

test.each([
  ["without choices and without usage", { choices: [] }],
  ["with a choice that is no object", { choices: [null], usage: { prompt_tokens: 9, completion_tokens: 9 } }],
])("a reply %s is no answer", async (_, reply) => {
  const before = await listCharges(gateway);
  provider.answerWith(() => Response.json(reply));
  expect((await ask(gateway.key)).status).toBe(502);
  expect(await listCharges(gateway)).toEqual(before);
});

test.each([
  ["as a code with escapes", '{"error":{"message":"Wrong","code":"provider\\u002dsecret"}}'],
  ["as a field with escapes", '{"error":{"message":"Wrong","param":"provider\\u002dsecret"}}'],
  ["with escapes where long words are cut", `{"error":"${"a".repeat(490)}provider\\u002dsecret"}`],
  ["with escapes in JSON without a field for words", '{"x":"provider\\u002dsecret"}'],
])("the provider's key is told to nobody %s", async (_place, error) => {
  provider.answerWith(() => new Response(error, { status: 400 }));
  const { status, text } = await ask(gateway.adminKey);
  expect(status).toBe(400);
  expect(text).not.toMatch(/provider(-|\\+u002d)s/);
});
