import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { groupDigits } from "@/components/ui/values/group-digits";
import { writeCsvLine } from "@/lib/contract/csv";
import { formatAmount, toNano } from "@/lib/money/amount";
import { guessColumns, parsePayments } from "./parse-payments";
import { TEMPLATE } from "./plan-import";

/** Ways to write a decimal string that only one reading fits, unless it has three places. */
const notations: readonly ((amount: string) => string)[] = [
  (amount) => amount,
  (amount) => groupDigits(amount),
  (amount) => `$${groupDigits(amount)}`,
  (amount) => `${groupDigits(amount).replaceAll(",", " ")} USD`,
  (amount) => groupDigits(amount).replaceAll(",", "’"),
];

const none = { amount: null, reference: null, note: null, paid_on: null };
const read = (text: string, chosen = {}) => parsePayments(text, chosen, "USD");
const amountsIn = (text: string) => read(text).rows.map(({ amount }) => formatAmount(amount));
const faultsIn = (text: string) =>
  read(text).faults.map(({ line, column, message }) => `${line} ${column}: ${message}`);

test("the template reads as the payments that it shows", () => {
  expect(read(TEMPLATE)).toMatchObject({
    faults: [],
    rows: [
      {
        line: 2,
        written: "1234.50",
        reference: "Invoice 2026-11",
        note: "Paid by Acme for October",
        paidOn: "2026-11-30",
      },
      { line: 3, written: "25.00", reference: "Invoice 2026-12", note: null, paidOn: null },
    ],
  });
});

test("columns are found by their titles, and one that two titles could mean stays open", () => {
  expect(guessColumns(["Date", "Reference", "Amount (USD)", "Memo"])).toEqual({
    amount: 2,
    reference: 1,
    note: 3,
    paid_on: 0,
  });
  expect(guessColumns(["Amount paid", "Amount due"])).toEqual(none);
  expect(guessColumns(["Paid on", "Paid"])).toMatchObject({ amount: 1, paid_on: 0 });
  expect(guessColumns(["Amount due", "amount"])).toMatchObject({ amount: 1 });
  expect(guessColumns(["Betrag", "Rechnung", "Buchungstext"])).toMatchObject({
    amount: 0,
    reference: 1,
    note: 2,
  });
  expect(guessColumns(["x", "y"])).toEqual(none);
});

test("the day of a payment is read as it is written, and refused where it may be two days or none", () => {
  const daysIn = (...days: string[]) => {
    const { rows, faults } = read(`amount,date\n${days.map((day) => `1,${day}`).join("\n")}`);
    return { days: rows.map(({ paidOn }) => paidOn), faults: faults.map(({ line }) => line) };
  };
  expect(daysIn("2026-11-03", "3.11.2026", "3 Nov 2026", "2026-11-03 10:15:00", "").days).toEqual([
    ...Array.from({ length: 4 }, () => "2026-11-03"),
    null,
  ]);
  expect(daysIn("03/11/2026", "30/11/2026").days).toEqual(["2026-11-03", "2026-11-30"]);
  expect(daysIn("03/11/2026", "11/30/2026").days).toEqual(["2026-03-11", "2026-11-30"]);
  expect(daysIn("03/11/2026", "11/11/2026")).toEqual({ days: ["2026-11-11"], faults: [2] });
  expect(daysIn("30/11/2026", "11/30/2026", "3/3/2026")).toEqual({ days: ["2026-03-03"], faults: [2, 3] });
  expect(daysIn("2026-02-30", "31.4.2026", "yesterday", "3 Foo 2026").faults).toEqual([2, 3, 4, 5]);
});

test("amounts are read as people write them", () => {
  const written = ["1,234.50", "$25", "10 USD", "1'000.25", "+7.5", "0.000000001", "1 234.50"];
  const text = ["amount", ...written.map((amount) => `"${amount}"`)].join("\n");
  expect(faultsIn(text)).toEqual([]);
  expect(amountsIn(text)).toEqual(["1234.50", "25.00", "10.00", "1000.25", "7.50", "0.000000001", "1234.50"]);
  expect(amountsIn("amount;reference\n1.234,50;A\n12,5;B\n1.234.567;C")).toEqual([
    "1234.50",
    "12.50",
    "1234567.00",
  ]);
});

test("a row that can't be read is reported with its line and the correction", () => {
  const text = `amount,reference,note
,A
-5,B
(5.00),C
0.00,D
1.234,E
ten,F
10 EUR,G
1e3,H
5,${"x".repeat(201)}

6,"I
of two","two
lines"
7,J,K,L`;
  expect(faultsIn(text)).toEqual([
    "2 amount: The amount is missing.",
    "3 amount: “-5”: Enter 0 or more.",
    "4 amount: “(5.00)”: Enter a number, such as 10.00.",
    "5 amount: The amount must be greater than 0.",
    "6 amount: “1.234”: This can mean two amounts. Write 1234.00 or 1.2340.",
    "7 amount: “ten”: Enter a number, such as 10.00.",
    "8 amount: “10 EUR”: Enter an amount in USD: “EUR” is another currency.",
    "9 amount: “1e3”: Enter a number, such as 10.00.",
    "10 reference: The reference must be at most 200 characters.",
    "15 null: It has 4 values, and the first line names 3 columns. Put a value that contains “,” in quotation marks.",
  ]);
  expect(read(text).rows).toMatchObject([{ line: 12, reference: "I of two", note: "two lines" }]);
});

describe("an amount that can mean two is refused", () => {
  test("a comma outside quotation marks", () => {
    expect(faultsIn("amount,reference\n1,234.50\n2,500\n3,Invoice\n4.00,500")).toEqual([
      "2 amount: “1,234.50” can be one amount with a comma. Put it in quotation marks, or write 1.00.",
      "3 amount: “2,500” can be one amount with a comma. Put it in quotation marks, or write 2.00.",
    ]);
  });

  test("three places after a comma, among amounts with a decimal comma", () => {
    expect(faultsIn("amount;reference\n12,50;A\n1,234;B")).toEqual([
      "3 amount: “1,234” can mean two amounts, since other rows have a decimal comma. Write 1234,00 or 1,2340.",
    ]);
    expect(amountsIn("amount;reference\n12.50;A\n1,234;B")).toEqual(["12.50", "1234.00"]);
    expect(faultsIn("amount;reference\n12,50;A\n€ 1,234;B")).toHaveLength(1);
  });

  test.each([";", "\t"])("three places after a comma, where values are separated by %j", (sign) => {
    const file = (...amounts: string[]) =>
      ["amount,reference", ...amounts.map((amount) => `${amount}|A`)]
        .join("\n")
        .replace(",", sign)
        .replaceAll("|", sign);
    expect(faultsIn(file("1,234"))).toEqual([
      "2 amount: “1,234” can mean two amounts. Write 1234,00 or 1,2340.",
    ]);
    expect(faultsIn(file("1,234 EUR", "5"))).toHaveLength(1);
    expect(amountsIn(file("1,234,567", "1,234.5"))).toEqual(["1234567.00", "1234.50"]);
    expect(amountsIn(file("1,234", "0.50"))).toEqual(["1234.00", "0.50"]);
  });

  test("not three places after a comma within quotation marks, among values that commas separate", () => {
    expect(amountsIn('amount,reference\n"1,234",A')).toEqual(["1234.00"]);
  });
});

test("a file with too many rows or a broken quotation mark is refused as a whole", () => {
  const many = `amount\n${"1.00\n".repeat(1_001)}`;
  expect(read(many)).toMatchObject({ rows: [], faults: [], tooMany: 1_001 });
  expect(read('amount,note\n5,"a" b\n6,c')).toMatchObject({ rows: [], faults: [{ line: 2 }] });
});

test("the columns that a person chooses replace the guessed ones", () => {
  const text = "paid,fee,ref\n10.00,0.50,A";
  expect(read(text, { amount: 1, reference: null }).rows).toMatchObject([
    { written: "0.50", reference: null },
  ]);
});

test("an amount that is written exactly is read exactly or refused, never read as another", () => {
  const seed = Date.now() % 2 ** 31;
  const written = fc.tuple(fc.bigInt(1n, 9n * 10n ** 18n).map(toNano), fc.constantFrom(...notations));
  fc.assert(
    fc.property(fc.array(written, { minLength: 1, maxLength: 20 }), (payments) => {
      const lines = payments.map(([amount, write]) => writeCsvLine([write(formatAmount(amount)), "A"]));
      const { rows, faults } = read(writeCsvLine(["amount", "reference"]) + lines.join(""));
      for (const { line, amount } of rows) expect(amount).toBe(payments[line - 2]?.[0] ?? toNano(0n));
      const answered = [...rows, ...faults].map(({ line }) => line).toSorted((one, other) => one - other);
      expect(answered).toEqual(payments.map((_, index) => index + 2));
    }),
    { seed },
  );
});

test("a column that two titles name exactly stays open too", () => {
  expect(guessColumns(["Amount", "Reference", "amount"])).toEqual({ ...none, reference: 1 });
});

test("a file that is cut off in its last line is refused at it, and one that only lacks its last line end is not", () => {
  const cut = {
    rows: [{ written: "25.00" }],
    faults: [{ line: 3, message: expect.stringContaining("ends in the middle") }],
  };
  expect(read("amount,reference,note\n25.00,A,x\n12")).toMatchObject(cut);
  for (const whole of [
    "amount,reference\n25.00,A\n12,B",
    "amount,reference\n25.00,A\n12\n",
    "amount,reference\n25.00\n12",
  ])
    expect(read(whole)).toMatchObject({ rows: [{ written: "25.00" }, { written: "12" }], faults: [] });
});
