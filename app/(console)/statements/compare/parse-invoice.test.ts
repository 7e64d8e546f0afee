import { expect, test } from "bun:test";
import { formatAmount, parseCheckedAmount } from "@/lib/money/amount";
import { compareInvoice } from "./compared-invoice";
import { guessColumns, parseInvoice } from "./parse-invoice";

const toRows = (...table: string[][]) => table.map((cells, index) => ({ line: index + 1, cells }));
const october = { month: "2026-10", currency: "USD", separator: "," };

test("columns are guessed from their heads, and rows of other months are left out", () => {
  const head = ["Usage date", "Line item", "Cost (USD)"];
  const map = guessColumns(head);
  expect(map).toEqual({ date: 0, model: 1, amount: 2 });
  const table = toRows(
    head,
    ["2026-10-31", "gpt", "1.234,50"],
    ["2026-10-01T12:00:00Z", "gpt", "-$2"],
    ["2026-11-01", "gpt", "9"],
    ["", " ", ""],
  );
  expect(parseInvoice(table, map, october)).toEqual({
    rows: [
      { model: "gpt", amount: parseCheckedAmount("1234.5") },
      { model: "gpt", amount: parseCheckedAmount("-2") },
    ],
    faults: [],
    otherMonths: 1,
    sums: 0,
    rounded: 0,
  });
});

test("columns are found in the exports of providers, and never a unit price or a currency for the amount", () => {
  const costs =
    "start_time,end_time,start_time_iso,end_time_iso,amount_value,amount_currency,line_item,project_id";
  expect(guessColumns(costs.split(","))).toEqual({ model: 6, amount: 4, date: 2 });
  expect(guessColumns(["Description", "Model", "Unit price", "Quantity", "Amount (USD)"])).toEqual({
    model: 1,
    amount: 4,
    date: null,
  });
  expect(guessColumns(["usage_date_utc", "model_version", "token_type", "cost_usd"])).toEqual({
    model: 1,
    amount: 3,
    date: 0,
  });
  expect(guessColumns(["Service", "Unit price", "Tokens"]).amount).toBeNull();
});

test("dates are read in the forms that invoices have, and one that means two days is asked about", () => {
  const countDates = (...dates: string[]) => {
    const table = toRows(["date", "model", "amount"], ...dates.map((date) => [date, "gpt", "1"]));
    const { rows, faults, otherMonths } = parseInvoice(table, { date: 0, model: 1, amount: 2 }, october);
    return [rows.length, otherMonths, faults.length];
  };
  const inOctober = [
    "2026-10",
    "20261031",
    "2026/10/31",
    "31.10.2026",
    "1.10.2026",
    "31 Oct 2026",
    "1-Oct-2026",
  ];
  expect(countDates(...inOctober, "Oct 31, 2026", "October 2026", "1793404799", "1793404799000")).toEqual([
    11, 0, 0,
  ]);
  expect(countDates("10/31/2026", "10/05/2026", "05/10/2026")).toEqual([2, 1, 0]);
  expect(countDates("31/10/2026", "05/10/2026", "10/05/2026")).toEqual([2, 1, 0]);
  expect(countDates("05/10/2026", "10/10/2026")).toEqual([1, 0, 1]);
  // The last second of October in UTC, and the first of November.
  expect(countDates("1793491199", "1793491200")).toEqual([1, 1, 0]);
  expect(countDates("31/10/2026", "10/31/2026", "31.02.2026", "Foo 2026", "2026-13-01", "202610")).toEqual([
    0, 0, 6,
  ]);
});

test("credits, exponents and long decimals are read, and a total is left out", () => {
  const table = toRows(
    ["item", "cost"],
    ["gpt", "(1.50)"],
    ["gpt", "$-2.00"],
    ["gpt", "3.00-"],
    ["gpt", "1.5e-5"],
    ["gpt", "2E+2"],
    ["gpt", "0.00000000049"],
    ["gpt", "$0.123456789500"],
    ["gpt", "1.000000000000"],
    ["Total", "999"],
    ["Subtotal USD", "999"],
    ["", "", ""],
  );
  const { rows, faults, sums, rounded } = parseInvoice(table, { model: 0, amount: 1, date: null }, october);
  expect(faults).toEqual([]);
  expect([sums, rounded]).toEqual([2, 2]);
  expect(rows.map(({ amount }) => formatAmount(amount))).toEqual([
    "-1.50",
    "-2.00",
    "-3.00",
    "0.000015",
    "200.00",
    "0.00",
    "0.12345679",
    "1.00",
  ]);
});

test("an item is compared with the model that it names, whatever its date and its kind of token", () => {
  const models = [{ id: "fast", routes: [{ provider: "openai", model: "gpt-5-mini" }] }];
  const items = ["gpt-5-mini-2025-08-07, input", "gpt-5-mini, cached input", "gpt-5, input"];
  const compared = compareInvoice(
    items.map((model) => ({ model, amount: parseCheckedAmount("1") })),
    [],
    models,
  );
  expect(compared.map(({ id, invoiced }) => [id, formatAmount(invoiced)])).toEqual([
    ["gpt-5-mini", "2.00"],
    ["gpt-5, input", "1.00"],
  ]);
});

test("each unreadable cell is named by row and column, with the expected format", () => {
  const table = toRows(
    ["date", "model", "amount"],
    ["05/10/2026", "gpt", "1.00"],
    ["2026-10-31", "", "ten"],
    ["2026-10-31", "gpt", "€5"],
    ["2026-10-31", "gpt"],
    ["2026-10-32", "gpt", "1"],
  );
  const { rows, faults } = parseInvoice(table, guessColumns(table[0]?.cells ?? []), october);
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
  const split = toRows(["model", "cost"], ["gpt", "1", "234.50"], ["gpt", "2.00", ""]);
  expect(parseInvoice(split, map, october)).toMatchObject({
    rows: [{ amount: parseCheckedAmount("2") }],
    faults: [{ line: 2, column: null, message: expect.stringContaining("in quotation marks") }],
  });
  const german = toRows(["model", "cost"], ["gpt", "12,50"], ["gpt", "-1,234"]);
  expect(parseInvoice(german, map, { ...october, separator: ";" })).toMatchObject({
    rows: [{ amount: parseCheckedAmount("12.5") }],
    faults: [{ line: 3, column: "cost", message: expect.stringContaining("can mean two amounts") }],
  });
  const counted = toRows(["model", "cost", "requests"], ["gpt", "5", "250"]);
  expect(parseInvoice(counted, map, october).rows).toEqual([
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
