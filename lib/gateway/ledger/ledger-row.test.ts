import { expect, test } from "bun:test";
import {
  CHAINED_COLUMNS,
  type ChainedEntry,
  type ChainedValues,
  FIRST_BATCH_HASH,
  hashBatch,
  toChainedValues,
} from "./ledger-row";

const hash = (...entries: ChainedValues[]) =>
  Buffer.from(hashBatch(FIRST_BATCH_HASH, entries)).toString("hex");

test("an integer hashes alike as number and as bigint, whatever its size and sign", () => {
  for (const value of [
    0,
    1,
    -1,
    255,
    2 ** 31,
    2 ** 32 - 1,
    2 ** 32,
    -(2 ** 32) - 7,
    1_800_000_000_123,
    2 ** 53 - 1,
  ]) {
    expect(hash([value])).toBe(hash([BigInt(value)]));
  }
});

test("no two batches hash alike, however their values are cut", () => {
  const batches: ChainedValues[][] = [
    [["a", "b"]],
    [["ab", ""]],
    [["ab", null]],
    [["a\nb"]],
    [["1"]],
    [[1]],
    [[0]],
    [[null]],
    [[1n, 2]],
    [["é"]],
    [["e"]],
    [["\u0000"]],
  ];
  expect(new Set(batches.map((batch) => hash(...batch))).size).toBe(batches.length);
});

test("a batch of any length, with a reference of any length, is hashed whole", () => {
  const entries = Array.from(
    { length: 5_000 },
    (_, index): ChainedValues => ["charge", `txn_${index}`, BigInt(index)],
  );
  const batchHash = hash(...entries);
  expect(hash(...entries)).toBe(batchHash);
  expect(hash(...entries.slice(0, -1))).not.toBe(batchHash);
  const long = "ü".repeat(100_000);
  expect(hash([long])).not.toBe(hash([`${long.slice(1)}u`]));
});

test("columns that came later change no hash of an entry that has none of them, and are covered where it has", () => {
  const earlierColumns = CHAINED_COLUMNS.slice(0, CHAINED_COLUMNS.indexOf("reference") + 1).map(() => "x");
  const hashBefore = hash(earlierColumns, earlierColumns);
  expect(hash([...earlierColumns, null, null], [...earlierColumns, null, null])).toBe(hashBefore);
  const ones = [
    ["openai", null],
    ["openai", 0],
    ["openai", 7],
    [null, 7],
    ["other", 7],
  ].map((later) => hash([...earlierColumns, ...later], earlierColumns));
  expect(new Set([hashBefore, ...ones]).size).toBe(ones.length + 1);
});

test.each<[string, ChainedEntry, string]>([
  ["that end at their reference", {}, "0ef81f32a792f203d264164437ae3f0d83fc92e4b36865258d9293756da482de"],
  [
    "with a reference",
    { reference: "INV-7" },
    "43c37a02b946e3530e42ed94686316d62e25cbdb1ff99b0dec86615bc3f9c6ae",
  ],
  [
    "with audio",
    { audio: '{"prompt_tokens":3}' },
    "a6b2e574d6a1737b3d17057a3b72c4f7e6cc61dddf233b108e7065081c71a611",
  ],
])("entries %s have the hash that the version before counted_tokens wrote", (_, more, written) => {
  const entry = { id: "txn_p", amount: 5_000_000_000n, created_at_ms: 1_800_000_000_000 };
  const charge = { ...entry, id: "txn_a", request_id: "req_a", model: "m", prompt_tokens: 10 };
  const [payment, last] = [
    { ...entry, kind: "payment" },
    { ...charge, kind: "charge", ...more },
  ];
  expect(hash(toChainedValues(payment), toChainedValues(last))).toBe(written);
});
