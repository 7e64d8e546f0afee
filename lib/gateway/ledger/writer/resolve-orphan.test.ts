import { expect, test } from "bun:test";
import type { HoldRow } from "./ledger-statements.sql";
import { resolveOrphan } from "./stored-calls.sql";

const hold = {
  id: "hold_1",
  state: "dispatched",
  prompt_tokens: 10n,
  max_completion_tokens: 20n,
  created_at_ms: 100n,
  stream: 0n,
  provider: "openai",
  trace: null,
  checkpoint_completion_tokens: 7n,
  units: null,
  unit: null,
  unit_price: null,
  audio: null,
  classes: null,
  input_per_1m: 1_000_000_000n,
  output_per_1m: 2_000_000_000n,
  rate: 500_000_000n,
} as unknown as HoldRow;

test("a call that was sent is charged for its prompt and the output that is known", () => {
  expect(resolveOrphan(hold, 5_000)).toMatchObject({
    kind: "settle",
    settlement: {
      entryId: "txn_1",
      usage: { promptTokens: 10, completionTokens: 7 },
      // 10 prompt tokens at 0.5 of 1.00 per million, and 7 output tokens at 0.5 of 2.00.
      charge: 12_000n,
      basis: "interrupted",
      end: { outcome: "interrupted", durationMs: 4_900 },
    },
  });
});

test("a hold that an earlier version stored and never sent is released", () => {
  expect(resolveOrphan({ ...hold, state: "created" }, 5_000)).toMatchObject({
    kind: "release",
    release: { holdId: "hold_1", end: { outcome: "unsent" } },
  });
});

test("a call that began under a clock that was ahead has lasted no less than no time", () => {
  expect(resolveOrphan(hold, 40)).toMatchObject({ settlement: { end: { durationMs: 0, atMs: 40 } } });
});
