import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { EventSplitter } from "../../http/event-splitter";
import { StreamMeter } from "./stream-meter";

const buildChunk = (content: string, more: object = {}) =>
  `data: ${JSON.stringify({ id: "c", choices: [{ index: 0, delta: { content }, finish_reason: null }], ...more })}\n\n`;

const text = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: "grapheme", maxLength: 6 }),
  fc.constantFrom(
    "",
    '"',
    "\\",
    '\\"',
    '"},"finish_reason":null}]}\n\n',
    "{",
    "[DONE]",
    '"usage":{"prompt_tokens":1}',
  ),
);
const event = fc.oneof(
  { weight: 8, arbitrary: text.map((content) => buildChunk(content)) },
  text.map((content) => buildChunk(content, { usage: { prompt_tokens: 3, completion_tokens: 4 } })),
  text.map((content) => buildChunk(content, { id: "another" })),
  fc.constantFrom(
    ": still here\n\n",
    "data: [DONE]\n\n",
    'data: {"error":{"message":"no"}}\n\n',
    "data: {\n\n",
  ),
  // The same bytes around something that is not a JSON string.
  fc.constantFrom("a\n\nb", "a\r\rb", "a\nb").map((raw) => buildChunk("@").replace("@", raw)),
);

/** The same event in a form that is never learned as a pattern. */
const endedByCrLf = (one: Buffer) =>
  Buffer.from(one.toString("latin1").replace(/\n\n$/, "\r\n\r\n"), "latin1");

/** A meter's results for a stream in these chunks. */
function metered(chunks: readonly Uint8Array[], readsAlike: boolean) {
  const meter = new StreamMeter(false, 20);
  const splitter = new EventSplitter();
  const roles: string[] = [];
  for (const chunk of chunks) {
    const alike = readsAlike && splitter.restBytes === 0 ? meter.countMatching(chunk) : 0;
    for (const one of splitter.push(chunk.subarray(alike))) {
      const role = meter.read(readsAlike ? one : endedByCrLf(one));
      if (role !== "content") roles.push(role);
      if (meter.exceedsLimit)
        return { roles, beyondAt: chunks.indexOf(chunk), tokens: meter.completionTokens };
    }
  }
  const { reported, isReportedLast, hasContent, completionTokens } = meter;
  return { roles, reported, isReportedLast, hasContent, completionTokens, rest: splitter.restBytes };
}

test("chunks of events that are alike are read as they are event by event", () => {
  fc.assert(
    fc.property(
      fc.array(event, { maxLength: 40 }),
      fc.array(fc.nat(200), { maxLength: 20 }),
      (events, cuts) => {
        const bytes = Buffer.from(events.join(""));
        const places = [
          ...new Set([0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length]),
        ].toSorted((one, other) => one - other);
        const cutAnywhere = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
        const oneByOne = events.map((one) => new Uint8Array(Buffer.from(one)));
        for (const chunks of [cutAnywhere, oneByOne, [bytes]])
          expect(metered(chunks, true)).toEqual(metered(chunks, false));
      },
    ),
    { numRuns: 1_000 },
  );
});

test("takes the fast path for events that differ only in their text", () => {
  const meter = new StreamMeter(true, 100);
  const read = (data: string) => meter.countMatching(Buffer.from(data));
  expect(read(buildChunk("one"))).toBe(0);
  meter.read(Buffer.from(buildChunk("one")));
  const alike = buildChunk("two") + buildChunk("three");
  expect(read(alike + "data: [DONE]\n\n")).toBe(alike.length);
  expect(meter.completionTokens).toBe(3);
  for (const other of [
    buildChunk("four").slice(0, -1),
    buildChunk("four", { usage: { prompt_tokens: 1, completion_tokens: 1 } }),
    "data: [DONE]\n\n",
    buildChunk("@").replace("@", "a\n\nb"),
  ])
    expect(read(other)).toBe(0);
  expect(meter.completionTokens).toBe(3);
});
