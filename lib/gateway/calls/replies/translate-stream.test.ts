import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { type StreamController, StreamedResponse } from "../../http/response";
import { MessageEvents } from "../anthropic/message-events";
import { ResponseEvents } from "../responses/response-events";
import { ReplyReader } from "./reply-reader";
import { translateStream } from "./translate-stream";

const options = { requestId: "req_1", model: "m", promptTokens: 3, toolNames: {}, callIds: [], stops: [] };
const word = JSON.stringify({ choices: [{ index: 0, delta: { content: "word" }, finish_reason: null }] });
const stop = JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] });

/** The completion's stream as its relay gives it, and how often it was canceled. */
function openChunks(...events: readonly string[]) {
  const waiting = [...events];
  const seen = { cancels: 0 };
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const event = waiting.shift();
        if (event === undefined) controller.close();
        else controller.enqueue(Buffer.from(event));
      },
      cancel() {
        seen.cancels++;
      },
    },
    { highWaterMark: 0 },
  );
  const logFault = () => {};
  const translated = translateStream(
    new Response(stream),
    new MessageEvents(options as never),
    new ReplyReader(() => {}),
    logFault,
  );
  return { seen, text: () => new StreamedResponse(translated, { headers: {} }).text() };
}

test("events without data and a last event with spaces pass, as they do in a completion's stream", async () => {
  const chunks = openChunks(
    `data: ${word}\n\n`,
    "data: \n\n",
    ": wait\n\n",
    `data: ${stop}\n\n`,
    "data: [DONE] \n\n",
  );
  const text = await chunks.text();
  expect(text).toContain("word");
  expect(text).toContain("event: message_stop");
});

test("the completion's stream is canceled where an event can't be translated, so that its call ends", async () => {
  const chunks = openChunks(`data: ${word}\n\n`, "data: {not json\n\n", `data: ${stop}\n\n`);
  const outcome = await chunks.text().then(
    () => "whole",
    () => "broken off",
  );
  expect([outcome, chunks.seen.cancels]).toEqual(["broken off", 1]);
});

const facts = { asked: { model: "m" }, tools: {}, callIds: [], isSealShown: true, showsLogprobs: false };
const newResponse = () =>
  new ResponseEvents(
    { ...facts, showsSummary: true, requestId: "req_1", origin: "o", createdAt: 1 },
    () => 1,
  );

const said = fc.oneof(fc.string(), fc.constantFrom("word", '"', "\\", "\n", "é", "\u2028", '"}}]}', ""));
const told = fc.oneof(
  { weight: 8, arbitrary: said.map((content) => ({ choices: [{ index: 0, delta: { content } }] })) },
  { weight: 2, arbitrary: said.map((content) => ({ choices: [{ index: 1, delta: { content } }] })) },
  said.map((content) => ({ choices: [{ index: 0, delta: { content } }], service_tier: "flex" })),
  said.map((content) => ({ choices: [{ index: 0, delta: { content }, finish_reason: "length" }] })),
  said.map((reasoning_content) => ({ choices: [{ index: 0, delta: { reasoning_content } }] })),
  said.map((args) => ({
    choices: [
      { index: 0, delta: { tool_calls: [{ index: 0, id: "c", function: { name: "f", arguments: args } }] } },
    ],
  })),
);

test("chunks that differ in their text alone are translated as any other", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(told, { maxLength: 20 }), async (chunks) => {
      const expected = newResponse();
      const events = expected.start() + chunks.map((chunk) => expected.translate(chunk as never)).join("");
      const bytes = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("");
      const reply = new Response(`${bytes}data: [DONE]\n\n`);
      const translated = translateStream(reply, newResponse(), new ReplyReader(() => {}), () => {});
      const text = await new StreamedResponse(translated, { headers: {} }).text();
      expect(text).toBe(events + expected.translate("[DONE]"));
    }),
  );
});

test("a reply whose source ends behind its last piece is waited for, and one that breaks off breaks off", async () => {
  for (const ending of ["close", "error"] as const) {
    const begun = Promise.withResolvers<StreamController>();
    const pieces = [Buffer.from(`data: ${word}\n\n`)];
    let pulls = 0;
    const source = {
      pull(controller: StreamController) {
        pulls++;
        const piece = pieces.shift();
        if (piece) controller.enqueue(piece);
        else begun.resolve(controller);
      },
      cancel() {},
    };
    const reply = new StreamedResponse(source, { headers: {} });
    const translated = translateStream(reply, newResponse(), new ReplyReader(() => {}), () => {});
    const reading = new StreamedResponse(translated, { headers: {} }).text().then(
      (text) => text.includes('"delta":"word"'),
      () => "broken off",
    );
    const controller = await begun.promise;
    // Whoever asked again and again would have by then.
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    controller[ending]();
    expect(pulls).toBe(2);
    expect(await reading).toBe(ending === "close" ? true : "broken off");
  }
});
