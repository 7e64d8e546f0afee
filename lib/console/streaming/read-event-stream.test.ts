import { expect, test } from "bun:test";
import fc from "fast-check";
import { LineTooLong, readEventStream } from "./chat-event";

async function readEvents(chunks: Uint8Array[]): Promise<string[]> {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  const events: string[] = [];
  for await (const event of readEventStream(body)) events.push(event);
  return events;
}

const bytes = (text: string) => new TextEncoder().encode(text);

test("comments, other fields and blank lines are passed over; several data lines are one event", async () => {
  const text = ": hello\n\nevent: x\nid: 1\ndata: one\n\n\n\ndata:two\ndata:  three\n\ndata: last";
  expect(await readEvents([bytes(text)])).toEqual(["one", "two\n three", "last"]);
});

test("parses the same events for any split of the bytes and any line ending", async () => {
  const said = fc.array(
    fc.string({ unit: "grapheme" }).filter((text) => !/[\r\n]/.test(text)),
    { maxLength: 6 },
  );
  await fc.assert(
    fc.asyncProperty(
      said,
      fc.constantFrom("\n", "\r\n", "\r"),
      fc.array(fc.nat(40)),
      async (texts, end, cuts) => {
        const all = bytes(texts.map((text) => `data: ${text}${end}: ping${end}${end}`).join(""));
        const chunks: Uint8Array[] = [];
        let from = 0;
        for (const cut of cuts) {
          chunks.push(all.slice(from, from + cut));
          from += cut;
        }
        expect(await readEvents([...chunks, all.slice(from)])).toEqual(texts);
      },
    ),
    { numRuns: 500 },
  );
});

test("a line that is too long is given up, with or without an end, after the events before it", async () => {
  const long = `data: ${"x".repeat(1_000_001)}`;
  await expect(readEvents([bytes(long)])).rejects.toThrow(LineTooLong);
  await expect(readEvents([bytes(`${long}\n\n`)])).rejects.toThrow(LineTooLong);
  const body = new Response(`data: one\n\n${long}\n\n`).body as ReadableStream<Uint8Array>;
  expect((await readEventStream(body).next()).value).toBe("one");
});
