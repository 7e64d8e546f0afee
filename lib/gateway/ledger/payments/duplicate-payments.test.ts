import { expect, test } from "bun:test";
import { toNano } from "@/lib/money/amount";
import { findDuplicates } from "./duplicate-payments";

const amount = toNano(1_000_000_000n);
const recorded = (reference: string) => [
  { id: "txn_1", amount, reference, isPending: false, createdAtMs: 1 },
];

test.each([
  ["a zero-width space", "INV\u200b-1"],
  ["a variation selector", "INV-1\ufe0f"],
  ["a soft hyphen", "INV\u00ad-1"],
  ["a byte order mark", "\ufeffINV-1"],
  ["a joiner", "INV-\u20601"],
  ["wide letters", "ＩＮＶ-１"],
  ["another case", "inv-1"],
])("a payment whose reference differs by %s alone is asked about", (_, reference) => {
  const [duplicate] = findDuplicates([{ amount, reference }], recorded("INV-1"));
  expect(duplicate?.original?.id).toBe("txn_1");
  expect(
    findDuplicates(
      [
        { amount, reference: "INV-1" },
        { amount, reference },
      ],
      [],
    ),
  ).toHaveLength(1);
});

test.each([
  ["a no-break space", "Invoice\u00a01"],
  ["a narrow space", "Invoice\u202f1"],
  ["the blank of Braille", "Invoice\u28001"],
  ["a filler", "Invoice\u31641"],
  ["two spaces", "Invoice  1"],
])("%s is a space", (_, reference) => {
  expect(findDuplicates([{ amount, reference }], recorded("Invoice 1"))).toHaveLength(1);
});

test("another reference is another payment", () => {
  expect(findDuplicates([{ amount, reference: "INV-2" }], recorded("INV-1"))).toEqual([]);
});
