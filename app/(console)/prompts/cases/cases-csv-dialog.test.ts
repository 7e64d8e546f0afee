import { expect, test } from "bun:test";
import { planCases } from "./cases-csv-dialog";

test("the first row names the variables; unknown and unused variables are reported", () => {
  const plan = planCases('topic,tone\nlimits,"plain, short"\n"two\nlines",""\n\n', ["topic", "length"], 0);
  expect(plan).toEqual({
    variables: ["topic", "tone"],
    cases: [
      { variables: { topic: "limits", tone: "plain, short" }, checks: [] },
      { variables: { topic: "two\nlines", tone: "" }, checks: [] },
    ],
    unused: ["tone"],
    missing: ["length"],
    faults: [],
  });
  expect(planCases("\uFEFFa;b\r\n1;2\r\n", ["a", "b"], 0).cases).toEqual([
    { variables: { a: "1", b: "2" }, checks: [] },
  ]);
});

test("faults name the line they are on, also after a value of several lines", () => {
  const listFaults = (text: string, kept = 0) =>
    planCases(text, ["a"], kept).faults.map(({ line, message }) => `${line}: ${message}`);
  expect(listFaults('a,b\n"x\ny",1\nonly one\n')).toEqual([
    "4: It has 1 value, and the first line names 2 columns.",
  ]);
  expect(listFaults("a,b\nx,y,z\nx,y,\n")).toEqual([
    "2: It has 3 values, and the first line names 2 columns. Put a value that contains “,” in quotation marks.",
  ]);
  expect(listFaults("a,a,1b\n")).toEqual([
    "1: Column 2 has the same name as another: a.",
    "1: Column 3 is not the name of a variable: 1b.",
  ]);
  expect(listFaults('a\nx\n"open')).toEqual(["3: A quote is not closed, or followed by text."]);
  expect(listFaults("a\n1\n2\n3\n", 98)).toEqual(["4: A prompt has at most 100 cases; there is room for 2."]);
  expect(listFaults(`a\n${"x".repeat(20_001)}`)[0]).toContain("longer than 20000");
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

test("columns of checks name what is wrong with them, and empty values are no checks", () => {
  const plan = planCases('a,check:contains,check:latency_below\nx,,"2,000"\ny,words,\n', ["a"], 0);
  expect(plan.faults).toEqual([]);
  expect(plan.cases.map(({ checks }) => checks)).toEqual([
    [{ type: "latency_below", value: "2,000" }],
    [{ type: "contains", value: "words" }],
  ]);
  expect(plan.unused).toEqual([]);
  const wrong = planCases("a,check:has,check:cost_below\nx,y,-1\n", ["a"], 0);
  expect(wrong.faults.map(({ line, message }) => `${line}: ${message}`)).toEqual([
    expect.stringMatching(/^1: Column 2 names no check. Write check:contains, /),
    "2: check:cost_below: Enter an amount above 0, such as 0.01.",
  ]);
  const columns = Array.from({ length: 11 }, () => "check:contains").join(",");
  expect(planCases(`${columns}\n`, [], 0).faults[0]?.message).toContain("at most 10 checks");
});
