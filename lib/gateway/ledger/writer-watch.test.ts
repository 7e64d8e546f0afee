import { expect, test } from "bun:test";
import { toNano } from "@/lib/money/amount";
import type { HoldDraft } from "./funds";
import { BalanceCache, SqliteFunds } from "./funds.sql";
import { type FromWriter, type ToWriter, usualPatience } from "./writer/ledger-operation";

const free = toNano(0n);
const draft: HoldDraft = {
  id: "hold_1",
  requestId: "req_1",
  amount: toNano(1n),
  projectId: "proj_1",
  keyId: "key_1",
  model: "sandbox-echo",
  promptTokens: 1,
  maxCompletionTokens: 1,
  price: { inputPer1m: free, outputPer1m: free, rate: free },
  createdAtMs: 0,
  deadlineAtMs: 1,
};

/** Funds whose writer does what the test says, at the test's time; one hold waits for it. */
async function holdWithWriter() {
  const sent: ToWriter[] = [];
  const worker = {
    onmessage: null as ((event: { data: FromWriter }) => void) | null,
    postMessage: (message: ToWriter) => void sent.push(message),
    terminate() {},
  };
  const progress = new Int32Array(1);
  let nowMs = 0;
  let look: (() => void) | null = null;
  const timing = {
    patience: usualPatience,
    progress,
    nowMs: () => nowMs,
    startTimer: (run: () => void) => {
      look = run;
      return () => {
        look = null;
      };
    },
  };
  const balance = new BalanceCache({ posted: 100n, held: 0n });
  const funds = new SqliteFunds(worker as never, balance, () => {}, timing);
  const outcomes: string[] = [];
  const hold = (id: string) =>
    funds.placeHold({ ...draft, id }).then(
      (outcome) => void outcomes.push(outcome),
      ({ code }: { code: string }) => void outcomes.push(code),
    );
  void hold("hold_1");
  while (sent.length === 0) await new Promise(setImmediate);
  const settled = () => new Promise(setImmediate);
  return {
    funds,
    outcomes,
    hold,
    sent,
    step: () => void Atomics.add(progress, 0, 1),
    async passLook(ms: number) {
      nowMs += ms;
      look?.();
      await settled();
    },
    async answer() {
      worker.onmessage?.({ data: { kind: "batch", results: [true], stored: null } });
      await settled();
    },
  };
}

test("a writer that makes no progress for a second has stopped: its callers are refused, and new ones at once", async () => {
  const writer = await holdWithWriter();
  for (let look = 0; look < 4; look++) {
    expect(writer.outcomes).toEqual([]);
    await writer.passLook(250);
  }
  expect(writer.outcomes).toEqual(["store_unavailable"]);
  await writer.hold("hold_2");
  expect(writer.outcomes).toEqual(["store_unavailable", "store_unavailable"]);
  expect(writer.funds.isHealthy()).toBe(false);
});

test("a writer that makes progress is waited for, and its answer counts", async () => {
  const writer = await holdWithWriter();
  for (let look = 0; look < 12; look++) {
    if (look % 3 === 0) writer.step();
    await writer.passLook(250);
  }
  expect(writer.outcomes).toEqual([]);
  await writer.answer();
  expect([writer.outcomes, writer.funds.isHealthy()]).toEqual([["placed"], true]);
});

test("looks that come late are no proof that the writer has stopped", async () => {
  const writer = await holdWithWriter();
  for (let look = 0; look < 3; look++) await writer.passLook(1_200);
  await writer.answer();
  expect(writer.outcomes).toEqual(["placed"]);
});

test("progress alone is waited for at most five seconds; a later answer is given back", async () => {
  const writer = await holdWithWriter();
  for (let look = 0; look <= 20; look++) {
    writer.step();
    await writer.passLook(250);
  }
  expect(writer.outcomes).toEqual(["store_unavailable"]);
  await writer.answer();
  await new Promise(setImmediate);
  expect(JSON.stringify(writer.sent.at(-1))).toContain("release");
});

test("a process that was paused for longer refuses what was stored meanwhile", async () => {
  const writer = await holdWithWriter();
  writer.step();
  await writer.passLook(250);
  const { funds } = writer;
  await writer.passLook(20_000);
  await writer.answer();
  expect([writer.outcomes, funds.isHealthy()]).toEqual([["store_unavailable"], true]);
});
