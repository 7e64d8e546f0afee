import { expect, test } from "bun:test";
import { pasteCells, readCells } from "./case-values";

const one = { key: "1", variables: { name: "Ada", place: "London" }, checks: [] };

test("cells of a spreadsheet fill the grid from the cell on, and add the cases below", () => {
  const cells = readCells("Grace\tNew York\r\nLinus\tHelsinki\tbeyond\r\n") ?? [];
  const pasted = pasteCells([one], ["name", "place"], { row: 0, name: "name" }, cells);
  expect(pasted.map(({ variables }) => variables)).toEqual([
    { name: "Grace", place: "New York" },
    { name: "Linus", place: "Helsinki" },
  ]);
  expect(pasteCells([one], ["name", "place"], { row: 0, name: "place" }, [["Paris", "beyond"]])).toEqual([
    { ...one, variables: { name: "Ada", place: "Paris" } },
  ]);
});

test("text of several lines without cells stays the text of one cell", () => {
  expect(readCells("first line\nsecond line")).toBeNull();
});
