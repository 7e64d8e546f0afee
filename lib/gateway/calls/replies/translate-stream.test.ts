import { expect, test } from "bun:test";
import { StreamedResponse } from "../../http/response";
import { MessageEvents } from "../anthropic/message-events";
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
    stream,
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
