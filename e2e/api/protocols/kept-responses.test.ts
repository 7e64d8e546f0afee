import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type OpenAI from "openai";
import { catchRefusal, collectAll } from "../../support/clients/official-client";
import { readReceipt } from "../../support/clients/read-requests";
import { createResponse } from "../../support/protocols/ask-response";
import { type ServedResponses, serveResponses, told } from "../../support/protocols/serve-responses";
import { signThinking } from "../../support/servers/anthropic-request-faults";

type Fields = Record<string, unknown>;

let served: ServedResponses;
let client: OpenAI;

beforeAll(async () => {
  served = await serveResponses();
  client = served.client;
});
beforeEach(() => served.reset());
afterAll(() => served.close());

const keep = (mode: string, redactions: readonly string[] = []) => served.keep(mode, redactions);
const ask = (body: Fields, isStream = false) =>
  createResponse(served.gateway, { model: "chat", ...body }, isStream);

describe.each(["chat", "native", "anthropic"])("a response of %s", (model) => {
  test.each([false, true])(
    "is kept, and gone on from without its instructions (streamed: %s)",
    async (isStream) => {
      const { response } = await ask({ model, instructions: "Say ahoy", input: "My name is Ada" }, isStream);
      expect((response as unknown as Fields).store).not.toBe(false);
      expect(await client.responses.retrieve(response.id)).toMatchObject({
        id: response.id,
        output: response.output as never,
      });
      const next = await ask({ model, input: "What is it?", previous_response_id: response.id }, isStream);
      const sent = served.readSent();
      for (const word of ["My name is Ada", "Hello", "What is it?"]) expect(sent).toContain(word);
      expect(sent).not.toContain("ahoy");
      expect(sent).not.toContain(response.id);
      // And from that one again, with any other model.
      await ask({ model: "chat", input: "Sure?", previous_response_id: next.response.id }, isStream);
      for (const word of ["My name is Ada", "What is it?", "Sure?"])
        expect(served.chat.visits.at(-1)?.text).toContain(word);
    },
  );
});

test("thinking that its client wasn't shown sealed goes back to its server", async () => {
  const thinking = "Let me see";
  const call = { type: "tool_use", id: "toolu_1", name: "f", input: {} };
  served.anthropic.answerWith(() => ({
    content: [{ type: "thinking", thinking, signature: signThinking(thinking) }, call],
    stop_reason: "tool_use",
  }));
  const tools = [{ type: "function", name: "f", parameters: { type: "object", properties: {} } }];
  const asked = { model: "anthropic", tools, reasoning: { effort: "high" }, max_output_tokens: 9_000 };
  for (const isStream of [false, true]) {
    const { response } = await ask({ ...asked, input: "Hi" }, isStream);
    const output = response.output as unknown as Fields[];
    expect(output[0]?.encrypted_content).toBeUndefined();
    const result = { type: "function_call_output", call_id: output[1]?.call_id, output: "1" };
    await ask({ ...asked, input: [result], previous_response_id: response.id });
    expect(served.anthropic.visits.at(-1)?.text).toContain(signThinking(thinking));
  }
});

test("the items of an input are listed, and stand for themselves by their ids", async () => {
  const { response } = await ask({
    input: [
      { role: "user", content: "One" },
      { role: "user", content: "Two" },
    ],
  });
  const items = await collectAll(client.responses.inputItems.list(response.id, { order: "asc", limit: 1 }));
  expect(items).toMatchObject([
    { type: "message", role: "user", content: [{ type: "input_text", text: "One" }] },
    { type: "message", role: "user", content: [{ type: "input_text", text: "Two" }] },
  ]);
  const [latest] = (await client.responses.inputItems.list(response.id)).data;
  expect(latest?.id).toBe(items[1]?.id as string);
  const [said] = response.output as unknown as { id: string }[];
  await ask({
    input: [
      { type: "item_reference", id: said?.id },
      { role: "user", content: "Three" },
    ],
  });
  expect(JSON.parse(served.chat.visits.at(-1)?.text ?? "{}").messages).toEqual([
    { role: "assistant", content: "Hello" },
    { role: "user", content: "Three" },
  ]);
});

test("what isn't kept can't be gone on from", async () => {
  const { response: unkept } = await ask({ input: "Hi", store: false });
  const { response: gone } = await ask({ input: "Hi" });
  await client.responses.delete(gone.id);
  const deletions = "/organization/audit_logs?event_types[]=response.deleted";
  const { data } = await served.gateway.admin<{ data: object[] }>("GET", deletions);
  expect(data).toMatchObject([{ changes: [{ object: "responses", id: gone.id }] }]);
  const { response: others } = await ask({ input: "Hi" });
  const stranger = await served.createStranger();
  const refusals = [
    client.responses.create({ model: "chat", input: "Hi", previous_response_id: unkept.id }),
    client.responses.create({ model: "chat", input: "Hi", previous_response_id: gone.id }),
    client.responses.create({ model: "chat", input: "Hi", previous_response_id: "resp_none" }),
    stranger.responses.create({ model: "chat", input: "Hi", previous_response_id: others.id }),
  ];
  for (const { status, code, param } of await Promise.all(refusals.map(catchRefusal)))
    expect([status, code, param]).toEqual([400, "previous_response_not_found", "previous_response_id"]);
  const calls = [
    client.responses.retrieve(gone.id),
    client.responses.delete(gone.id),
    client.responses.inputItems.list(unkept.id),
    stranger.responses.retrieve(others.id),
    stranger.responses.delete(others.id),
  ];
  for (const { status } of await Promise.all(calls.map(catchRefusal))) expect(status).toBe(404);
  expect((await client.responses.retrieve(others.id)).id).toBe(others.id);
});

test("a project that keeps no bodies, or not as they are, says that it keeps no response", async () => {
  for (const [mode, redactions] of [
    ["off", []],
    ["metadata", []],
    ["whole", ["secret"]],
  ] as const) {
    await keep(mode, redactions);
    for (const model of ["chat", "native"])
      for (const isStream of [false, true]) {
        const { response } = await ask({ model, input: "Hi", store: true }, isStream);
        expect((response as unknown as Fields).store).toBe(false);
        expect((await catchRefusal(client.responses.retrieve(response.id))).status).toBe(404);
      }
  }
});

test("tokens of earlier turns are counted, held and charged with each turn", async () => {
  const long = "word ".repeat(4_000);
  const { response } = await ask({ input: long });
  const counted = await client.responses.inputTokens.count({
    model: "chat",
    input: "Hi",
    previous_response_id: response.id,
  });
  expect(counted).toMatchObject({ object: "response.input_tokens" });
  expect(counted.input_tokens).toBeGreaterThan(4_000);
  const { headers } = await ask({ input: "Hi", previous_response_id: response.id });
  const { hold } = await readReceipt(served.gateway, headers.get("x-request-id"));
  expect(Number(hold?.amount)).toBeGreaterThan((4_000 * 5) / 1e6);
});

test("an item is named by its id for a while, also where nothing is kept, and not by another project", async () => {
  await keep("off");
  const { response } = await ask({ input: "Hi" }, true);
  const [said] = response.output as unknown as { id: string }[];
  const input = [
    { role: "user", content: "Hi" },
    { type: "item_reference", id: said?.id },
    { role: "user", content: "Go on" },
  ];
  await ask({ input });
  expect(JSON.parse(served.chat.visits.at(-1)?.text ?? "{}").messages[1]).toEqual({
    role: "assistant",
    content: "Hello",
  });
  const { response: refused } = await ask({ input: "Hi", store: false });
  const [unnamed] = refused.output as unknown as { id: string }[];
  const { status, param } = await catchRefusal(
    client.responses.create({ model: "chat", input: [{ type: "item_reference", id: unnamed?.id ?? "" }] }),
  );
  expect([status, param]).toEqual([400, "input.0"]);
  // What a provider has named itself, it may know.
  const theirs = { type: "item_reference", id: "msg_of_the_provider" };
  await ask({ model: "native", input: [theirs, { role: "user", content: "Go on" }] });
  expect(served.native.visits.at(-1)?.body.input).toContainEqual(theirs);
});

test("a conversation goes on from its summary, which another project can't read", async () => {
  const summarized = { chat: "Her name is Ada", native: "Her name is Ada" };
  served.chat.answerWith(() => ({ message: { content: summarized.chat } }));
  served.native.answerWith(() => ({ output: [told("msg_theirs", summarized.native)] }));
  for (const model of ["chat", "native"] as const) {
    const { response } = await ask({ model, input: "I am Ada" });
    const compacted = await client.responses.compact({
      model,
      input: "And now?",
      previous_response_id: response.id,
    } as never);
    expect(served.readSent()).toContain("I am Ada");
    expect(served.readSent()).toContain("Summarize the conversation");
    expect(compacted).toMatchObject({ object: "response.compaction", usage: { output_tokens: 5 } });
    expect(JSON.stringify(compacted)).not.toContain("Her name");
    const input = [...compacted.output, { role: "user", content: "Who am I?" }];
    await ask({ model, input });
    expect(served.readSent()).toContain("A summary of the conversation so far");
    expect(served.readSent()).toContain("Her name is Ada");
    const [item] = compacted.output as unknown as { encrypted_content: string }[];
    const changed = { type: "compaction", encrypted_content: `${item?.encrypted_content.slice(0, -4)}AAAA` };
    const stranger = await served.createStranger();
    const refusals = [
      client.responses.create({ model, input: [changed] } as never),
      stranger.responses.create({ model, input: [item] } as never),
    ];
    for (const { status, param } of await Promise.all(refusals.map(catchRefusal)))
      expect([status, param]).toEqual([400, "input.0.encrypted_content"]);
  }
});

test("an item of a kept response is named by its id after a restart, and not once the response is deleted", async () => {
  const input = [{ role: "user", content: "Hi" }];
  const { response: theirs } = await ask({ model: "native", input });
  const { response: ours } = await ask({ model: "chat", input });
  const [asked] = (await client.responses.inputItems.list(ours.id)).data;
  await served.gateway.restart();
  const answers = [theirs, ours].map(({ output }) => output[0]?.id);
  for (const [model, id] of [
    ["native", answers[0]],
    ["chat", answers[1]],
    ["native", answers[1]],
  ] as const) {
    await ask({
      model,
      input: [...input, { type: "item_reference", id }, { role: "user", content: "Go on" }],
    });
    const sent = (model === "chat" ? served.chat : served.native).visits.at(-1)?.text ?? "";
    expect([sent.includes("Hello"), sent.includes("item_reference")]).toEqual([true, false]);
  }
  await ask({ input: [{ type: "item_reference", id: asked?.id }] });
  expect(served.chat.visits.at(-1)?.text).toContain('"content":"Hi"');
  const stranger = await served.createStranger();
  await client.responses.delete(ours.id);
  const goOn = (one: OpenAI) =>
    one.responses.create({ model: "chat", input: [{ type: "item_reference", id: answers[1] ?? "" }] });
  for (const one of [client, stranger]) expect((await catchRefusal(goOn(one))).param).toBe("input.0");
});
