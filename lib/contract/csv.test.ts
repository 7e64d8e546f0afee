import { expect, test } from "bun:test";
import fc from "fast-check";
import { parseCsv, writeCsvLine } from "./csv";

const readCells = (text: string) => parseCsv(text).rows.map(({ cells }) => cells);

test("reads its own output, including formulas, quotes and line ends", () => {
  const cell = fc
    .oneof(fc.string(), fc.constantFrom("=1+1", "＝x", "\nx", "@a", '"', "a,b", "-5", " padded "))
    // A lone carriage return reads as a line feed, and an apostrophe before a formula is taken off.
    .filter((text) => !text.includes("\r") && !/^'[=+\-@\t\n＝＋－＠]/.test(text));
  const seed = Date.now() % 2 ** 31;
  fc.assert(
    fc.property(fc.array(fc.array(cell, { minLength: 2, maxLength: 5 }), { maxLength: 6 }), (rows) => {
      const head = ["a", "b"];
      expect(readCells([head, ...rows].map(writeCsvLine).join(""))).toEqual([head, ...rows]);
    }),
    { seed },
  );
});

test("semicolons, tabs, a byte order mark and blank lines are read", () => {
  expect(readCells("\uFEFFmodel;amount\r\ngpt;1,50\r\n;\r\n\r\nx;2\r\n")).toEqual([
    ["model", "amount"],
    ["gpt", "1,50"],
    ["", ""],
    ["x", "2"],
  ]);
  expect(readCells("model\tamount\ngpt\t")).toEqual([
    ["model", "amount"],
    ["gpt", ""],
  ]);
  expect(readCells('"a, b";c\n"say ""hi""";d')).toEqual([
    ["a, b", "c"],
    ['say "hi"', "d"],
  ]);
});

test("the separator is the most frequent one of the first line", () => {
  expect(["a,b;c;d\n", "a\tb", "a", ""].map((text) => parseCsv(text).separator)).toEqual([
    ";",
    "\t",
    ",",
    ",",
  ]);
});

test("rows are numbered by the line they begin on, and reading stops at a wrong quote", () => {
  expect(parseCsv('a,b\n"x\ny",1\n\nz,2').rows.map(({ line }) => line)).toEqual([1, 2, 5]);
  expect(parseCsv('a,"b')).toMatchObject({ rows: [], brokenLine: 1 });
  expect(parseCsv('a\n"b" c')).toMatchObject({ rows: [{ line: 1 }], brokenLine: 2 });
});

test("a quoted cell of megabytes is read", () => {
  const long = "x".repeat(5_000_000);
  expect(readCells(`a\n"${long}"\n`)).toEqual([["a"], [long]]);
  expect(parseCsv(`a\n"${long}`).brokenLine).toBe(2);
});
