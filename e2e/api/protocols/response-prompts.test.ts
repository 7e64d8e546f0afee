import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type OpenAI from "openai";
import { catchRefusal } from "../../support/clients/official-client";
import { readReceipt } from "../../support/clients/read-requests";
import { until } from "../../support/clients/until";
import { createResponse } from "../../support/protocols/ask-response";
import { type ServedResponses, serveResponses } from "../../support/protocols/serve-responses";

type Fields = Record<string, unknown>;

let served: ServedResponses;
let client: OpenAI;

beforeAll(async () => {
  served = await serveResponses();
  client = served.client;
});
beforeEach(() => served.reset());
afterAll(() => served.close());

const list = () => `/organization/projects/${served.gateway.projectId}/prompts`;
const tools = [{ type: "function", name: "look_up", parameters: { type: "object", properties: {} } }];
const body = { instructions: "Speak like a {{role}}.", input: "Greet {{name}}.", temperature: 0.5, tools };

async function save(fields: Fields = body, endpoint = "responses", isShared = true): Promise<string> {
  const draft = { name: "Greeting", is_shared: isShared, content: { endpoint, body: fields } };
  return (await served.gateway.admin<{ id: string }>("POST", list(), draft)).id;
}
const ask = (fields: Fields, isStream = false) =>
  createResponse(served.gateway, { model: "chat", ...fields }, isStream);
const refuse = (fields: Fields, by = client) =>
  catchRefusal(by.responses.create({ model: "chat", ...fields } as never));
const variables = { role: "pirate", name: "Ada" };

describe.each(["chat", "native", "anthropic"])("a prompt for %s", (model) => {
  test.each([false, true])(
    "fills a request, whose own fields come first (streamed: %s)",
    async (isStream) => {
      const id = await save();
      const { response } = await ask({ model, prompt: { id, variables } }, isStream);
      // A server tells what it was sent, and this one little of it.
      const echoed = model === "native" ? {} : { temperature: 0.5, tools: [{ name: "look_up" }] };
      expect(response).toMatchObject({
        prompt: { id, version: "1", variables },
        instructions: "Speak like a pirate.",
        ...echoed,
      });
      for (const word of ["Speak like a pirate.", "Greet Ada.", "look_up", "0.5"])
        expect(served.readSent()).toContain(word);
      expect(served.readSent()).not.toContain(id);
      const own = await ask(
        { model, prompt: { id, variables }, input: "Say bye", temperature: 1, instructions: null },
        isStream,
      );
      expect(own.response.instructions).toBe("Speak like a pirate.");
      expect(served.readSent()).not.toContain("0.5");
      expect(["Say bye", "Greet"].map((word) => served.readSent().includes(word))).toEqual([true, false]);
    },
  );
});

test("a version is the newest unless one is named, and both are told by reply and receipt", async () => {
  const id = await save();
  const next = { endpoint: "responses", body: { ...body, input: "Praise {{name}}." } };
  await served.gateway.admin("POST", `${list()}/${id}/versions`, next);
  const { response } = await ask({ prompt: { id, variables } });
  expect(served.readSent()).toContain("Praise Ada.");
  expect(response.prompt).toEqual({ id, version: "2", variables });
  const first = await ask({ prompt: { id, variables, version: "1" } });
  expect(first.response.prompt?.version).toBe("1");
  expect(served.readSent()).toContain("Greet Ada.");
  const requestId = first.response.id.replace("resp_", "req_");
  const { settings } = await readReceipt(served.gateway, requestId);
  expect(settings?.prompt).toEqual({ id, number: 1 });
});

test("what can't be filled is refused by the name of its field, and nothing is asked", async () => {
  const id = await save();
  for (const [prompt, status, param] of [
    [{ id, variables: { role: "pirate" } }, 400, "prompt.variables.name"],
    [{ id, variables: { ...variables, nmae: "Ada" } }, 400, "prompt.variables.nmae"],
    [
      {
        id,
        variables: {
          ...variables,
          name: { type: "input_image", image_url: "https://a/b.png" },
          role: { type: "input_image" },
        },
      },
      400,
      "prompt.variables.role",
    ],
    [{ id, variables, version: "7" }, 404, "prompt.version"],
    [{ id, variables, version: "1.5" }, 404, "prompt.version"],
    [{ id: "prompt_none", variables }, 404, "prompt.id"],
    [{ variables }, 400, "prompt.id"],
    [
      { id: await save({ messages: [{ role: "user", content: "Hi" }] }, "chat_completions") },
      400,
      "prompt.id",
    ],
    [{ id: await save(body, "responses", false), variables }, 404, "prompt.id"],
    ["greeting", 400, "prompt"],
  ] as const)
    expect(await refuse({ prompt })).toMatchObject({ status, param });
  const stranger = await served.createStranger();
  expect(await refuse({ prompt: { id, variables } }, stranger)).toMatchObject({
    status: 404,
    param: "prompt.id",
  });
  expect(await refuse({ model: undefined, prompt: { id, variables } })).toMatchObject({
    status: 400,
    param: "model",
  });
  expect(served.chat.visits).toEqual([]);
});

test("a picture stands in a user's words, and a value isn't filled itself", async () => {
  const id = await save({ input: [{ role: "user", content: "See {{picture}} of {{name}}." }] });
  const picture = { type: "input_image", image_url: "https://example.com/a.png", detail: "low" };
  await ask({ model: "native", prompt: { id, variables: { picture, name: "{{picture}}" } } });
  expect(JSON.parse(served.native.visits.at(-1)?.text ?? "").input).toEqual([
    {
      role: "user",
      content: [
        { type: "input_text", text: "See " },
        picture,
        { type: "input_text", text: " of " },
        { type: "input_text", text: "{{picture}}" },
        { type: "input_text", text: "." },
      ],
    },
  ]);
});

test("a response of the background, a repeat and one that goes on are filled, too", async () => {
  const id = await save();
  const options = { headers: { "idempotency-key": crypto.randomUUID() } };
  const asked = { model: "chat", prompt: { id, variables }, background: true } as never;
  const begun = (await client.responses.create(asked, options)) as OpenAI.Responses.Response;
  expect(begun).toMatchObject({ status: "queued", prompt: { id, version: "1", variables } });
  const find = () => client.responses.retrieve(begun.id);
  await until("it has ended", async () => (await find()).status === "completed");
  expect(await find()).toMatchObject({
    prompt: { id, version: "1", variables },
    instructions: "Speak like a pirate.",
  });
  // The same request is a repeat, though the prompt has become another one.
  const next = { endpoint: "responses", body: { ...body, input: "Praise {{name}}." } };
  await served.gateway.admin("POST", `${list()}/${id}/versions`, next);
  expect(((await client.responses.create(asked, options)) as OpenAI.Responses.Response).id).toBe(begun.id);
  await ask({ previous_response_id: begun.id, input: "And Bob?" });
  expect(served.readSent()).toContain("Greet Ada.");
  const counted = await client.responses.inputTokens.count({
    model: "chat",
    prompt: { id, variables },
  } as never);
  expect(counted.input_tokens).toBeGreaterThan(8);
});

test("a prompt doesn't decide how its request is answered, what is kept of it, and who is told", async () => {
  const own = {
    background: true,
    callback_url: "https://example.com/",
    store: false,
    previous_response_id: "resp_1",
  };
  const id = await save({ ...body, ...own, prompt: { id: "prompt_1" } });
  const { response } = await ask({ prompt: { id, variables } });
  expect(response).toMatchObject({
    status: "completed",
    background: false,
    store: true,
    previous_response_id: null,
  });
});
