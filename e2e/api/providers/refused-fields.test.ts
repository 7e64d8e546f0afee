import { beforeEach, describe, expect, test } from "bun:test";
import type { RequestReceipt } from "@/lib/contract/operations/calls/requests";
import { listCharges, readHeld } from "../../support/clients/list-charges";
import { readReceipt } from "../../support/clients/read-requests";
import { fetchWithKey } from "../../support/clients/send";
import { isProviderFault } from "../../support/gateways/is-provider-fault";
import type { ServedGateway } from "../../support/gateways/serve-gateway";
import { serveScriptedForEach } from "../../support/gateways/serve-scripted";
import {
  chatCompletion,
  chunkEvent,
  DONE,
  type ScriptedProvider,
  streamChunks,
} from "../../support/servers/scripted-provider";

let provider: ScriptedProvider;
let gateway: ServedGateway;
let lastId: string | null = null;
serveScriptedForEach(
  (served) => {
    ({ provider, gateway } = served);
  },
  { isExpectedFault: isProviderFault },
);

const messages = [{ role: "user", content: "Hello" }];
const bodies = () => provider.visits.map(({ body }) => JSON.parse(body) as Record<string, unknown>);

async function call(fields: object, path = "chat/completions") {
  const reply = await fetchWithKey(`${gateway.baseUrl}/${path}`, {
    key: gateway.key,
    headers: path === "messages" ? { "anthropic-version": "2023-06-01" } : {},
    body: { model: "fake", messages, ...fields },
  });
  lastId = reply.headers.get("x-request-id");
  return { status: reply.status, text: await reply.text() };
}

/** Refuses requests with a field as a server does, and answers others. */
function refuse(field: string, status: number, body: unknown): void {
  provider.answerWith(({ body: sent }) => {
    const request = JSON.parse(sent) as Record<string, unknown>;
    if (field in request) return Response.json(body, { status });
    return request.stream
      ? streamChunks([chunkEvent({ content: "Hi" }), chunkEvent({}, { finish_reason: "stop" }), DONE])
      : Response.json(chatCompletion("Hi", { prompt_tokens: 1, completion_tokens: 1 }));
  });
}

const attempts = async (): Promise<RequestReceipt["attempts"]> =>
  (await readReceipt(gateway, lastId)).attempts;

describe.each<[string, number, unknown]>([
  ["OpenAI", 400, { error: { message: "Unrecognized request argument supplied: stream_options" } }],
  ["FastAPI", 422, { detail: [{ loc: ["body", "stream_options"], msg: "Extra inputs are not permitted" }] }],
  ["Go", 400, { error: 'json: unknown field "stream_options"' }],
  ["a sentence", 400, { message: "Stream options are not supported by this model" }],
])("a server that refuses stream_options in the words of %s", (_name, status, words) => {
  beforeEach(() => refuse("stream_options", status, words));

  test("is asked again at once without it, and from then on", async () => {
    const reply = await call({ stream: true });
    expect([reply.status, reply.text.endsWith(DONE)]).toEqual([200, true]);
    expect(bodies().map((body) => "stream_options" in body)).toEqual([true, false]);
    expect(await attempts()).toMatchObject([
      { status, failure: "provider_error", left_out: [] },
      { status: 200, failure: null, left_out: ["stream_options"] },
    ]);
    expect(await listCharges(gateway)).toMatchObject([{ basis: "estimated", completion_tokens: 1 }]);
    expect(await readHeld(gateway)).toBe("0.00");
    await call({ stream: true });
    expect(provider.visits).toHaveLength(3);
  });
});

describe("a refused stream_options", () => {
  beforeEach(() => refuse("stream_options", 400, { error: { message: "unknown field stream_options" } }));

  test("is left out of a client's request, too, which gets the usage that is charged", async () => {
    const { text } = await call({ stream: true, stream_options: { include_usage: true } });
    expect(text).toContain('"usage":{"prompt_tokens":');
    expect(text).toEndWith(DONE);
  });

  test("is shown with the provider", async () => {
    await call({ stream: true });
    const listed = await gateway.admin<{ data: { id: string; found_refused_fields: string[] }[] }>(
      "GET",
      "/organization/providers",
    );
    expect(listed.data.find(({ id }) => id === "fake")?.found_refused_fields).toEqual(["stream_options"]);
  });

  test("is left out of messages in Anthropic's form", async () => {
    expect((await call({ stream: true, max_tokens: 5 }, "messages")).text).toContain("Hi");
    expect(provider.visits).toHaveLength(2);
  });
});

test("a server's other name of the output limit is found", async () => {
  const message =
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
  refuse("max_tokens", 400, { error: { message, param: "max_tokens", code: "unsupported_parameter" } });
  expect((await call({ max_tokens: 7 })).status).toBe(200);
  expect(bodies()[1]).toMatchObject({ max_completion_tokens: 7 });
  expect(await attempts()).toMatchObject([{ left_out: [] }, { left_out: ["max_tokens"] }]);
  expect((await call({ max_tokens: 7 })).status).toBe(200);
  expect(provider.visits).toHaveLength(3);
});

test("two refused fields are found one after the other, under one hold", async () => {
  provider.answerWith(({ body }) => {
    for (const field of ["stream_options", "max_tokens"])
      if (field in JSON.parse(body))
        return Response.json({ error: `unknown field "${field}"` }, { status: 400 });
    return streamChunks([chunkEvent({ content: "Hi" }), DONE]);
  });
  expect((await call({ stream: true, max_tokens: 5 })).status).toBe(200);
  expect(provider.visits).toHaveLength(3);
  expect(await listCharges(gateway)).toHaveLength(1);
});

test("a hint of a message that its server doesn't know is left out of messages, and never of a client's chat", async () => {
  refuse("user", 400, { error: { message: "Unrecognized request argument supplied: user" } });
  const metadata = { user_id: "ada" };
  expect((await call({ max_tokens: 5, metadata }, "messages")).status).toBe(200);
  expect(provider.visits).toHaveLength(2);
  const refused = await call({ user: "ada" });
  expect(refused.status).toBe(400);
  expect(refused.text).toContain("Unrecognized request argument supplied: user");
  expect(bodies()[2]).toMatchObject({ user: "ada" });
  expect(provider.visits).toHaveLength(3);
});

test.each([
  [
    "names the field's value",
    400,
    "max_tokens is too large: 7. At most 5 is supported, which is not allowed",
  ],
  ["names no field of ours", 400, "Unknown field: temperature"],
  ["is of another status", 404, "stream_options are unknown here"],
])("a refusal that %s is not repeated", async (_name, status, message) => {
  provider.answerWith(() => Response.json({ error: { message } }, { status }));
  await call({ stream: true, max_tokens: 7, temperature: 1 });
  expect(provider.visits).toHaveLength(1);
});

test("a field that is refused in every form is repeated once, and not remembered", async () => {
  provider.answerWith(() => Response.json({ error: "unknown field stream_options" }, { status: 400 }));
  const refused = await call({ stream: true });
  expect(refused.status).toBe(400);
  expect(provider.visits).toHaveLength(2);
  await call({ stream: true });
  expect(bodies().map((body) => "stream_options" in body)).toEqual([true, false, true, false]);
  expect(await listCharges(gateway)).toEqual([]);
  expect(await readHeld(gateway)).toBe("0.00");
});
