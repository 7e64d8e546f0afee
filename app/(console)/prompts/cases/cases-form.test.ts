import { expect, test } from "bun:test";
import type { CsvCase } from "./case-values";
import { planCases } from "./cases-csv-dialog";
import { writeCasesCsv } from "./cases-form";

test("an export reads back unchanged, including formulas and quotes", () => {
  const cases: CsvCase[] = [
    {
      variables: { a: '=1+1, "quoted"', b: "two\nlines" },
      checks: [
        { type: "contains", value: "one" },
        { type: "contains", value: 'two, "three"' },
        { type: "json_schema", value: '{"type":"object"}' },
      ],
    },
    { variables: { a: "", b: "é" }, checks: [{ type: "cost_below", value: "0.01" }] },
    { variables: { a: "", b: "" }, checks: [] },
  ];
  const plan = planCases(writeCasesCsv(cases, ["a", "b"]), ["a", "b"], 0);
  expect(plan.faults).toEqual([]);
  expect(plan.cases).toEqual(cases);
});

test("variables named like a property of every object are written and read as others", () => {
  const names = ["constructor", "toString"];
  expect(writeCasesCsv([{ variables: {}, checks: [] }], names)).toBe("constructor,toString\r\n,\r\n");
  expect(planCases("constructor\nx\n", names, 0).cases).toEqual([
    { variables: { constructor: "x" }, checks: [] } as never,
  ]);
  expect(planCases("__proto__\nx\n", names, 0).faults).toEqual([
    { line: 1, message: "Column 1 is not the name of a variable: __proto__." },
  ]);
});
