import { expect, test } from "bun:test";
import fc from "fast-check";
import { ReplyReader } from "./reply-reader";

const buildChunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
const chunked = (texts: readonly string[]) => `${head + texts.map(buildChunk).join("")}0\r\n\r\n`;
const whole = (text: string) =>
  `HTTP/1.1 429 No\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;

const texts = fc.array(fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 300 }), { minLength: 1 });
const cuts = fc.array(fc.nat(3_000), { maxLength: 20 });

/**
 * Reads a reply that arrives in pieces.
 * @returns the piece at which it was complete, and the number of pieces.
 */
function readInPieces(reader: ReplyReader, reply: string, places: readonly number[]): [number, number] {
  const bytes = Buffer.from(reply);
  const inside = places.filter((at) => at < bytes.length);
  const edges = [...new Set([0, ...inside, bytes.length])].toSorted((one, other) => one - other);
  const pieces = edges.slice(1).map((end, index) => bytes.subarray(edges[index], end));
  reader.reset();
  return [pieces.findIndex((piece) => reader.read(piece)) + 1, pieces.length];
}

test("a reply is complete with its last byte and not before, however it is cut", () => {
  fc.assert(
    fc.property(texts, cuts, fc.boolean(), (parts, places, isChunked) => {
      const reader = new ReplyReader();
      const reply = isChunked ? chunked(parts) : whole(parts.join(""));
      for (let times = 0; times < 2; times++) {
        const [completeAt, pieces] = readInPieces(reader, reply, places);
        expect(completeAt).toBe(pieces);
        expect(reader.status).toBe(isChunked ? 200 : 429);
        expect(reader.tail).toBe(parts.join("").slice(-16));
      }
    }),
  );
});

test("a server that closes the connection is recognized", () => {
  const reader = new ReplyReader();
  expect(reader.read(Buffer.from("HTTP/1.1 500 No\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"))).toBe(
    true,
  );
  expect([reader.status, reader.closes]).toEqual([500, true]);
});
