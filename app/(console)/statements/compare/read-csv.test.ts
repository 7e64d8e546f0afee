import { expect, test } from "bun:test";
import fc from "fast-check";
import { writeCsvLine } from "@/lib/contract/write-csv";
import { readCsv } from "./read-csv";

test("reads the CSV that it writes", () => {
  const cell = fc.string().map((text) => text.trim().replace(/^[=+\-@]+/, "x"));
  const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 5 }), { maxLength: 6 });
  const seed = Date.now() % 2 ** 31;
  fc.assert(
    fc.property(table, (rows) => {
      const kept = rows.filter((row) => row.some((value) => value !== ""));
      const head = ["a", "b"];
      expect(readCsv([head, ...rows].map(writeCsvLine).join(""))).toEqual([head, ...kept]);
    }),
    { seed },
  );
});

test("semicolons, tabs, a byte order mark and blank lines are read; an open quote is not", () => {
  expect(readCsv("\uFEFFmodel;amount\r\ngpt;1,50\r\n;\r\n\r\nx;2\r\n")).toEqual([
    ["model", "amount"],
    ["gpt", "1,50"],
    ["x", "2"],
  ]);
  expect(readCsv("model\tamount\ngpt\t")).toEqual([
    ["model", "amount"],
    ["gpt", ""],
  ]);
  expect(readCsv('"a, b";c\n"say ""hi""";d')).toEqual([
    ["a, b", "c"],
    ['say "hi"', "d"],
  ]);
  expect(readCsv('a,"b')).toBeNull();
});
