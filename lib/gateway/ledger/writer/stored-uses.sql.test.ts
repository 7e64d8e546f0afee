import { expect, test } from "bun:test";
import { DAY_MS, MINUTE_MS } from "@/lib/contract/durations";
import { toNano } from "@/lib/money/amount";
import { openSqlite } from "../../database/open-sqlite";
import { openTemporarySqlite } from "../../database/testing/open-temporary-database";
import { readPastCalls } from "../../rate-limits/read-past-calls.sql";
import type { HoldDraft } from "../funds";
import { RecentMediaUsage } from "./stored-calls.sql";

const NOW_MS = 1_800_000_000_000;

function draftHold(ageMs: number, carried: HoldDraft["carried"]): HoldDraft {
  return {
    id: `hold_${ageMs}`,
    requestId: `req_${ageMs}`,
    amount: toNano(1n),
    projectId: "proj_1",
    keyId: "key_1",
    model: "m",
    promptTokens: 1,
    maxCompletionTokens: 1,
    price: { inputPer1m: toNano(1n), outputPer1m: toNano(1n), rate: toNano(1n) },
    createdAtMs: NOW_MS - ageMs,
    deadlineAtMs: NOW_MS,
    carried,
  };
}

/** What is known after a restart of two images a day ago, three an hour ago and a megabyte now. */
async function readAfterRestart(window: "minute" | "day") {
  await using store = await openTemporarySqlite();
  {
    using sqlite = openSqlite(store.path);
    const usage = new RecentMediaUsage(sqlite, [
      { counts: "requests", window: "day" },
      { counts: "images", window },
    ]);
    usage.note(draftHold(DAY_MS - MINUTE_MS, { images: 2 }));
    usage.note(draftHold(60 * MINUTE_MS, { images: 3 }));
    usage.note(draftHold(0, { audioMegabytes: 1 }));
  }
  await store.reopen();
  const calls = await readPastCalls(store.reads, NOW_MS, DAY_MS);
  return calls.map(({ atMs, images, audioMegabytes }) => [NOW_MS - atMs, images, audioMegabytes]);
}

test("the images of a whole day are known after a restart if a limit counts them by the day", async () => {
  expect(await readAfterRestart("day")).toEqual([
    [DAY_MS - MINUTE_MS, 2, 0],
    [60 * MINUTE_MS, 3, 0],
    [0, 0, 1],
  ]);
});

test("images that no limit counts any more are forgotten", async () => {
  expect(await readAfterRestart("minute")).toEqual([[0, 0, 1]]);
});
