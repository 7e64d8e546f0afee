import { expect, test } from "bun:test";
import { openRun } from "./testing/open-run";

const MIB = 1024 * 1024;
const LINES = 64;
/** Shared by all replies, so that the test stays small. */
const reply = Buffer.alloc(8 * MIB);

async function passTurns(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
}

function respondWithOnePiece(piece: Uint8Array): Response {
  return new Response(
    new ReadableStream({
      start(controller) {
        controller.enqueue(piece);
        controller.close();
      },
    }),
  );
}

test.each<[string, (call: number) => number]>([
  ["4 MiB", () => 4 * MIB],
  ["8 MiB", () => 8 * MIB],
  ["1 to 6 MiB", (call) => (1 + (call % 6)) * MIB],
])("a group of lines with replies of %s is answered to its end", async (_, countBytes) => {
  let calls = 0;
  const { answerAll } = openRun(
    async () => {
      const call = calls++;
      // Calls don't end in the order of their lines.
      await passTurns((call * 7) % 11);
      return respondWithOnePiece(reply.subarray(0, countBytes(call)));
    },
    // Results are stored only after all calls that could begin have ended.
    () => ({ wait: () => passTurns(100) }),
  );
  let storedCount = 0;
  for await (const results of answerAll(LINES)) storedCount += results.length;
  expect([storedCount, calls]).toEqual([LINES, LINES]);
});
