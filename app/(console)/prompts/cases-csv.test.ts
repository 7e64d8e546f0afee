import { expect, test } from "bun:test";
import { casesCsv, planCases } from "./cases-csv";

test("the first row names the variables; unknown and unused variables are reported", () => {
  const plan = planCases('topic,tone\nlimits,"plain, short"\n"two\nlines",""\n\n', ["topic", "length"], 0);
  expect(plan).toEqual({
    variables: ["topic", "tone"],
    cases: [
      { topic: "limits", tone: "plain, short" },
      { topic: "two\nlines", tone: "" },
    ],
    unused: ["tone"],
    missing: ["length"],
    faults: [],
  });
  expect(planCases("\uFEFFa;b\r\n1;2\r\n", ["a", "b"], 0).cases).toEqual([{ a: "1", b: "2" }]);
});

test("faults name the line they are on, also after a value of several lines", () => {
  const faultsOf = (text: string, kept = 0) =>
    planCases(text, ["a"], kept).faults.map(({ line, message }) => `${line}: ${message}`);
  expect(faultsOf('a,b\n"x\ny",1\nonly one\n')).toEqual([
    "4: It has 1 values, and the first row names 2 variables.",
  ]);
  expect(faultsOf("a,a,1b\n")).toEqual([
    "1: Column 2 has the same name as another: a.",
    "1: Column 3 is not the name of a variable: 1b.",
  ]);
  expect(faultsOf('a\nx\n"open')).toEqual(["3: A quote is not closed, or followed by text."]);
  expect(faultsOf("a\n1\n2\n3\n", 98)).toEqual(["4: A prompt has at most 100 cases; there is room for 2."]);
  expect(faultsOf(`a\n${"x".repeat(20_001)}`)[0]).toContain("longer than 20000");
});

test("an export reads back unchanged, including formulas and quotes", () => {
  const cases = [{ variables: { a: '=1+1, "quoted"', b: "two\nlines" } }, { variables: { a: "", b: "é" } }];
  const plan = planCases(casesCsv(cases, ["a", "b"]), ["a", "b"], 0);
  expect(plan.faults).toEqual([]);
  expect(plan.cases).toEqual(cases.map(({ variables }) => variables));
});

test("of a table of a million rows, and of as many columns, no more is read than fits", () => {
  const rows = planCases(`a\n${"1\n".repeat(1_000_000)}`, ["a"], 0);
  expect(rows.cases).toHaveLength(100);
  expect(rows.faults).toEqual([
    { line: 102, message: "A prompt has at most 100 cases; there is room for 100." },
  ]);
  const columns = Array.from({ length: 200_000 }, (_, index) => `a${index}`);
  expect(planCases(columns.join(","), ["a"], 0)).toMatchObject({ cases: [], missing: ["a"] });
});

test("variables named like a property of every object are written and read as others", () => {
  const names = ["constructor", "toString"];
  expect(casesCsv([{ variables: {} }], names)).toBe("constructor,toString\r\n,\r\n");
  expect(planCases("constructor\nx\n", names, 0).cases).toEqual([{ constructor: "x" } as never]);
  expect(planCases("__proto__\nx\n", names, 0).faults).toEqual([
    { line: 1, message: "Column 1 is not the name of a variable: __proto__." },
  ]);
});
