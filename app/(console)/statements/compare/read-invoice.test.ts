import { expect, test } from "bun:test";
import { formatAmount, parseCheckedAmount } from "@/lib/money/amount";
import { compareInvoice } from "./compare-invoice";
import { guessColumns, readInvoice } from "./read-invoice";

const rowsOf = (...table: string[][]) => table.map((cells, index) => ({ line: index + 1, cells }));
const october = { month: "2026-10", currency: "USD", separator: "," };

test("columns are guessed from their heads, and rows of other months are left out", () => {
  const head = ["Usage date", "Line item", "Cost (USD)"];
  const map = guessColumns(head);
  expect(map).toEqual({ date: 0, model: 1, amount: 2 });
  const table = rowsOf(
    head,
    ["2026-10-31", "gpt", "1.234,50"],
    ["2026-10-01T12:00:00Z", "gpt", "-$2"],
    ["2026-11-01", "gpt", "9"],
    ["", " ", ""],
  );
  expect(readInvoice(table, map, october)).toEqual({
    rows: [
      { model: "gpt", amount: parseCheckedAmount("1234.5") },
      { model: "gpt", amount: parseCheckedAmount("-2") },
    ],
    faults: [],
    otherMonths: 1,
  });
});

test("each unreadable cell is named by row and column, with the expected format", () => {
  const table = rowsOf(
    ["date", "model", "amount"],
    ["31/10/2026", "gpt", "1.00"],
    ["2026-10-31", "", "ten"],
    ["2026-10-31", "gpt", "€5"],
    ["2026-10-31", "gpt"],
    ["2026-10-32", "gpt", "1"],
  );
  const { rows, faults } = readInvoice(table, guessColumns(table[0]?.cells ?? []), october);
  expect(rows).toEqual([]);
  expect(faults.map(({ line, column }) => [line, column])).toEqual([
    [2, "date"],
    [3, "model"],
    [3, "amount"],
    [4, "amount"],
    [5, "amount"],
    [6, "date"],
  ]);
  expect(faults[0]?.message).toContain("Write it as 2026-10-01");
  expect(faults[3]?.message).toContain("another currency");
});

test("an amount that a comma split, or that can mean two, is asked about and never read as a smaller one", () => {
  const map = { date: null, model: 0, amount: 1 };
  const split = rowsOf(["model", "cost"], ["gpt", "1", "234.50"], ["gpt", "2.00", ""]);
  expect(readInvoice(split, map, october)).toMatchObject({
    rows: [{ amount: parseCheckedAmount("2") }],
    faults: [{ line: 2, column: null, message: expect.stringContaining("in quotation marks") }],
  });
  const german = rowsOf(["model", "cost"], ["gpt", "12,50"], ["gpt", "-1,234"]);
  expect(readInvoice(german, map, { ...october, separator: ";" })).toMatchObject({
    rows: [{ amount: parseCheckedAmount("12.5") }],
    faults: [{ line: 3, column: "cost", message: expect.stringContaining("can mean two amounts") }],
  });
  const counted = rowsOf(["model", "cost", "requests"], ["gpt", "5", "250"]);
  expect(readInvoice(counted, map, october).rows).toEqual([
    { model: "gpt", amount: parseCheckedAmount("5") },
  ]);
});

test("compares models by their provider's name, and adds up those that share one", () => {
  const line = (model: string, charges: string) => ({
    project_id: "proj_1",
    project_name: "One",
    model,
    calls: 1,
    prompt_tokens: 1,
    completion_tokens: 1,
    charges,
  });
  const routes = [{ provider: "openai", model: "gpt-5" }];
  const models = [
    { id: "fast", routes },
    { id: "cheap", routes },
  ];
  const invoice = [
    { model: "gpt-5", amount: parseCheckedAmount("5") },
    { model: "gpt-5", amount: parseCheckedAmount("1") },
    { model: "unused", amount: parseCheckedAmount("0.5") },
  ];
  const lines = [line("fast", "4.00"), line("cheap", "1.00"), line("fast", "2.00"), line("local", "3.00")];
  const compared = compareInvoice(invoice, lines, models);
  expect(
    compared.map(({ id, models: here, invoiced, charged, difference }) => [
      id,
      here,
      ...[invoiced, charged, difference].map(formatAmount),
    ]),
  ).toEqual([
    ["local", [], "0.00", "3.00", "3.00"],
    ["gpt-5", ["cheap", "fast"], "6.00", "7.00", "1.00"],
    ["unused", [], "0.50", "0.00", "-0.50"],
  ]);
});
