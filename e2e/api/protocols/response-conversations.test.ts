import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type OpenAI from "openai";
import { catchRefusal, collectAll } from "../../support/clients/official-client";
import { readReceipt } from "../../support/clients/read-requests";
import { fetchWithKey } from "../../support/clients/send";
import { until } from "../../support/clients/until";
import { createResponse } from "../../support/protocols/ask-response";
import { type ServedResponses, serveResponses } from "../../support/protocols/serve-responses";
import { queryDatabase } from "../../support/stored-data/query-database";

type Fields = Record<string, unknown>;
type Item = OpenAI.Conversations.ConversationItem;

let served: ServedResponses;
let client: OpenAI;

beforeAll(async () => {
  served = await serveResponses();
  client = served.client;
});
beforeEach(() => served.reset());
afterAll(() => served.close());

const ask = (body: Fields, isStream = false) =>
  createResponse(served.gateway, { model: "chat", ...body }, isStream);
const say = (content: string) => ({ type: "message" as const, role: "user" as const, content });
const listTexts = async (id: string) =>
  (await collectAll(client.conversations.items.list(id, { order: "asc", limit: 2 }))).map(readText);
const readText = (item: Item) =>
  item.type === "message"
    ? item.content.map((part) => ("text" in part ? part.text : "")).join("")
    : item.type;

test("a conversation is created, read, renamed and deleted with its items by the official client", async () => {
  const empty = await client.conversations.create();
  expect(empty).toEqual({
    id: expect.stringMatching(/^conv_/),
    object: "conversation",
    created_at: expect.any(Number),
    metadata: {},
  });
  const metadata = { topic: "greeting" };
  const { id } = await client.conversations.create({ items: [say("One")], metadata });
  const added = await client.conversations.items.create(id, { items: [say("Two"), say("Three")] });
  expect(added.data.map(readText)).toEqual(["Two", "Three"]);
  expect(await listTexts(id)).toEqual(["One", "Two", "Three"]);
  const { data, has_more } = await client.conversations.items.list(id, { limit: 2 });
  expect([data.map(readText), has_more]).toEqual([["Three", "Two"], true]);
  const [two] = added.data;
  const found = await client.conversations.items.retrieve(String(two?.id), { conversation_id: id });
  expect(found).toMatchObject({
    type: "message",
    role: "user",
    content: [{ type: "input_text", text: "Two" }],
  });
  expect(await client.conversations.items.delete(String(two?.id), { conversation_id: id })).toMatchObject({
    id,
    metadata,
  });
  expect(await listTexts(id)).toEqual(["One", "Three"]);
  expect(await client.conversations.update(id, { metadata: { topic: "parting" } })).toMatchObject({
    id,
    metadata: { topic: "parting" },
  });
  expect(await client.conversations.retrieve(id)).toMatchObject({ metadata: { topic: "parting" } });
  expect(await client.conversations.delete(id)).toEqual({
    id,
    object: "conversation.deleted",
    deleted: true,
  });
  expect((await catchRefusal(client.conversations.retrieve(id))).status).toBe(404);
  expect((await catchRefusal(client.conversations.items.list(id))).status).toBe(404);
});

describe.each(["chat", "native", "anthropic"])("responses of %s", (model) => {
  test.each([false, true])("go on with a conversation (streamed: %s)", async (isStream) => {
    const { id } = await client.conversations.create({ items: [say("My name is Ada")] });
    const { response } = await ask(
      { model, input: "Hi", instructions: "Say ahoy", conversation: id },
      isStream,
    );
    expect((response as unknown as Fields).conversation).toEqual({ id });
    expect(await listTexts(id)).toEqual(["My name is Ada", "Hi", "Hello"]);
    await ask({ model, input: "What is it?", conversation: { id } }, isStream);
    const sent = served.readSent();
    for (const word of ["My name is Ada", "Hi", "Hello", "What is it?"]) expect(sent).toContain(word);
    expect(sent).not.toContain("ahoy");
    expect(sent).not.toContain(id);
    expect(await listTexts(id)).toHaveLength(5);
    expect((await client.responses.retrieve(response.id)).conversation).toEqual({ id });
    // A client may leave the keeping of the response itself out.
    const { response: unkept } = await ask(
      { model, input: "Sure?", conversation: id, store: false },
      isStream,
    );
    expect((await catchRefusal(client.responses.retrieve(unkept.id))).status).toBe(404);
    expect((await listTexts(id)).slice(-2)).toEqual(["Sure?", "Hello"]);
  });
});

test("its tokens are in the hold and in the count of each response", async () => {
  const { id } = await client.conversations.create({ items: [say("word ".repeat(4_000))] });
  const counted = await client.responses.inputTokens.count({ model: "chat", input: "Hi", conversation: id });
  expect(counted.input_tokens).toBeGreaterThan(4_000);
  const { headers } = await ask({ input: "Hi", conversation: id });
  const { hold } = await readReceipt(served.gateway, headers.get("x-request-id"));
  expect(Number(hold?.amount)).toBeGreaterThan((4_000 * 5) / 1e6);
});

test("nothing is added by a response that fails or whose client leaves, and the next goes on at once", async () => {
  const { id } = await client.conversations.create({ items: [say("One")] });
  served.chat.answerWith(() => Response.json({ error: { message: "Down" } }, { status: 400 }));
  for (const isStream of [false, true])
    await expect(ask({ input: "Lost", conversation: id }, isStream)).rejects.toThrow();
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
  served.chat.answerWith(() => beginStream(mayEnd));
  const stream = await client.responses.create({
    model: "chat",
    input: "Left",
    conversation: id,
    stream: true,
  });
  for await (const event of stream) if (event.type === "response.output_text.delta") break;
  stream.controller.abort();
  await served.reset();
  await until("the conversation is free", async () => {
    const { status } = await askPlainly({ input: "Two", conversation: id });
    return status === 200;
  });
  expect(await listTexts(id)).toEqual(["One", "Two", "Hello"]);
  end();
});

test("a second response at the same time is refused, and goes on with the first one's end afterwards", async () => {
  const { id } = await client.conversations.create();
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
  served.chat.answerWith(() => beginStream(mayEnd));
  const stream = await client.responses.create({
    model: "chat",
    input: "One",
    conversation: id,
    stream: true,
  });
  const events = stream[Symbol.asyncIterator]();
  for (let text = ""; text !== "He"; ) {
    const { value } = await events.next();
    if (value?.type === "response.output_text.delta") text += value.delta;
  }
  const refused = await askPlainly({ input: "Two", conversation: id });
  expect([refused.status, refused.error]).toMatchObject([
    409,
    { code: "conversation_locked", param: "conversation" },
  ]);
  end();
  for (let next = await events.next(); !next.done; next = await events.next());
  served.chat.answerWith(() => ({ message: { content: "Hello" } }));
  expect((await askPlainly({ input: "Two", conversation: id })).status).toBe(200);
  expect(await listTexts(id)).toEqual(["One", "Hello", "Two", "Hello"]);
});

test("a repeat with an idempotency key gets the first answer, and adds nothing", async () => {
  const { id } = await client.conversations.create();
  const options = { headers: { "idempotency-key": crypto.randomUUID() } };
  const first = await client.responses.create({ model: "chat", input: "Hi", conversation: id }, options);
  const again = await client.responses.create({ model: "chat", input: "Hi", conversation: id }, options);
  expect(again.id).toBe(first.id);
  expect(await listTexts(id)).toEqual(["Hi", "Hello"]);
});

test("another project's, and what can't be told or kept, is refused by its name", async () => {
  const { id } = await client.conversations.create({ items: [say("One")] });
  const { response } = await ask({ input: "Hi" });
  const stranger = await served.createStranger();
  const [item] = (await client.conversations.items.list(id)).data;
  const place = { conversation_id: id };
  const unknown = [
    stranger.conversations.retrieve(id),
    stranger.conversations.update(id, { metadata: {} }),
    stranger.conversations.delete(id),
    stranger.conversations.items.list(id),
    stranger.conversations.items.create(id, { items: [say("Mine")] }),
    stranger.conversations.items.retrieve(String(item?.id), place),
    stranger.conversations.items.delete(String(item?.id), place),
    stranger.responses.create({ model: "chat", input: "Hi", conversation: id }),
    client.responses.create({ model: "chat", input: "Hi", conversation: "conv_none" }),
    client.conversations.items.retrieve("msg_none", place),
  ];
  for (const { status } of await Promise.all(unknown.map(catchRefusal))) expect(status).toBe(404);
  const many = Array.from({ length: 21 }, () => say("Many"));
  const create = (body: Fields) => client.responses.create({ model: "chat", ...body } as never);
  const empty = await client.conversations.create();
  const wrong: [() => Promise<unknown>, string][] = [
    [() => client.conversations.create({ items: many }), "items"],
    [() => client.conversations.items.create(id, { items: many }), "items"],
    [() => client.conversations.items.create(id, { items: [] }), "items"],
    [
      () => client.conversations.create({ items: [{ role: "clown", content: "Hi" } as never] }),
      "items.0.role",
    ],
    [() => client.conversations.create({ metadata: { long: "x".repeat(513) } }), "metadata.long"],
    [() => client.conversations.items.list(id, { after: "msg_none" }), "after"],
    [() => create({ input: "Hi", conversation: id, previous_response_id: response.id }), "conversation"],
    [() => create({ input: [], conversation: empty.id }), "input"],
    [() => stranger.conversations.create(), "OpenAI-Project"],
  ];
  for (const [attempt, field] of wrong) {
    const { status, param } = await catchRefusal(attempt());
    expect([status, param]).toEqual([400, field]);
  }
  expect(await listTexts(id)).toEqual(["One"]);
});

/** A stream of a chat that has said "He", and says the rest once it may. */
function beginStream(mayEnd: Promise<void>): Response {
  const write = (delta: Fields, finish_reason: string | null = null) =>
    `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", model: "gpt", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(Buffer.from(write({ role: "assistant", content: "He" })));
      await mayEnd;
      controller.enqueue(Buffer.from(`${write({ content: "llo" }, "stop")}data: [DONE]\n\n`));
      controller.close();
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

async function askPlainly(body: Fields) {
  const reply = await fetchWithKey(`${served.gateway.baseUrl}/responses`, {
    key: served.gateway.key,
    body: { model: "chat", ...body },
  });
  const { error } = (await reply.json()) as { error?: Fields };
  return { status: reply.status, error };
}

test("a project has at most ten thousand, and may create another one once some are deleted", async () => {
  const { gateway } = served;
  const numbers = `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 10000)`;
  const columns = "id, project_id, created_at_ms, updated_at_ms, sealed_metadata, revision";
  await queryDatabase(
    gateway,
    `INSERT INTO response_conversations (${columns}) ${numbers} SELECT 'conv_many_' || n, '${gateway.projectId}', 0, 0, 'v1.', 0 FROM numbers`,
  );
  const { status, code, message } = await catchRefusal(client.conversations.create());
  expect([status, code, message]).toEqual([400, "limit_reached", expect.stringContaining("10,000")]);
  await queryDatabase(gateway, "DELETE FROM response_conversations WHERE id LIKE 'conv_many_%'");
  expect((await client.conversations.create()).object).toBe("conversation");
});
