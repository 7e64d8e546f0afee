import { describe, expect, test } from "bun:test";
import { toCsv } from "./to-csv";

const one = (value: string | number | null) =>
  toCsv([value], [{ header: "h", value: (row) => row }]).split("\r\n")[1];

describe("toCsv", () => {
  test("writes a head, rows and CRLF", () => {
    const rows = [{ name: "ci", amount: "-0.25" }];
    const columns = [
      { header: "Name", value: (row: (typeof rows)[0]) => row.name },
      { header: "Amount, USD", value: (row: (typeof rows)[0]) => row.amount },
    ];
    expect(toCsv(rows, columns)).toBe('Name,"Amount, USD"\r\nci,-0.25\r\n');
  });

  for (const attack of ["=1+1", "+cmd", "-2+3", "@SUM(A1)", "-", "+1"]) {
    test(`disarms ${JSON.stringify(attack)}`, () => expect(one(attack)).toBe(`'${attack}`));
  }

  test("disarms tab and carriage return, which spreadsheets strip", () => {
    expect(toCsv(["\t=1", "\r=1"], [{ header: "h", value: (row) => row }])).toBe(`h\r\n'\t=1\r\n"'\r=1"\r\n`);
  });

  test("disarms a formula inside quotes as well", () => {
    expect(one('=HYPERLINK("http://x","y")')).toBe(`"'=HYPERLINK(""http://x"",""y"")"`);
  });

  test("keeps negative numbers numbers", () => {
    expect(one("-3.10")).toBe("-3.10");
    expect(one(-3)).toBe("-3");
  });

  test("quotes separators, quotes, line ends and outer spaces", () => {
    expect(one('a"b')).toBe('"a""b"');
    expect(one(" a")).toBe('" a"');
    expect(one(null)).toBe("");
  });
});
