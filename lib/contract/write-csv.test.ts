import { describe, expect, test } from "bun:test";
import { writeCsvLine } from "./csv";

describe("a line of CSV", () => {
  test("separates by commas and ends with CRLF", () => {
    expect(writeCsvLine(["ci", "Amount, USD", -0.25, null, true])).toBe('ci,"Amount, USD",-0.25,,true\r\n');
  });

  for (const attack of ["=1+1", "+cmd", "-2+3", "@SUM(A1)", "-", "+1", "＝1+1", "＋1", "－1", "＠SUM(A1)"]) {
    test(`disarms ${JSON.stringify(attack)}`, () => expect(writeCsvLine([attack])).toBe(`'${attack}\r\n`));
  }

  test("disarms tab, carriage return and line feed, which spreadsheets strip", () => {
    expect(writeCsvLine(["\n=1"])).toBe(`"'\n=1"\r\n`);
    expect(writeCsvLine(["\t=1", "\r=1"])).toBe(`'\t=1,"'\r=1"\r\n`);
  });

  test("disarms a formula inside quotes as well", () => {
    expect(writeCsvLine(['=HYPERLINK("http://x","y")'])).toBe(`"'=HYPERLINK(""http://x"",""y"")"\r\n`);
  });

  test("keeps negative numbers numbers, and writes lists as JSON", () => {
    expect(writeCsvLine(["-3.10", -3, ["a", "b"]])).toBe('-3.10,-3,"[""a"",""b""]"\r\n');
  });

  test("quotes quotes, line ends and outer spaces", () => {
    expect(writeCsvLine(['a"b', " a", "a\nb"])).toBe('"a""b"," a","a\nb"\r\n');
  });
});
