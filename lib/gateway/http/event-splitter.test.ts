import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { EventSplitter, readEventData } from "./event-splitter";

const lineEnd = fc.constantFrom("\n", "\r\n", "\r");
const line = fc.oneof(
  fc.string({ unit: fc.constantFrom("a", "é", "😀", ":", " ") }).map((text) => `data: ${text}`),
  fc.constantFrom("data:[DONE]", ": comment", "event: x", "data: a"),
);
const event = fc
  .tuple(fc.array(line, { minLength: 1, maxLength: 3 }), lineEnd)
  .map(([lines, end]) => lines.map((text) => text + end).join("") + end);

test.each([undefined, 0])(
  "events are the same and whole, wherever the chunks are cut (large from %p bytes)",
  (largeBytes) => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 6 }), fc.array(fc.nat(40)), (events, cuts) => {
        const bytes = Buffer.from(events.join(""));
        const splitter = new EventSplitter(largeBytes);
        const splitEvents: Buffer[] = [];
        let start = 0;
        for (const offset of [...cuts, bytes.length]) {
          splitEvents.push(...splitter.push(bytes.subarray(start, start + offset)));
          start += offset;
        }
        splitEvents.push(...splitter.push(bytes.subarray(start)));
        const nonEmptyEvents = [...splitEvents, splitter.flush()].filter(({ length }) => length > 0);
        expect(nonEmptyEvents.map(String)).toEqual(events);
      }),
      { numRuns: 1_000 },
    );
  },
);

test("data lines are joined, comments are no data", () => {
  expect(readEventData(Buffer.from("event: x\ndata: a\ndata:b\n\n"))).toBe("a\nb");
  expect(readEventData(Buffer.from(": ping\r\n\r\n"))).toBeNull();
});
