import { describe, expect, test } from "bun:test";
import { chooseValues, removeValues, searchOptions } from "./choose-options";

const groups = [
  {
    heading: "Roles",
    options: [
      { value: "api.roles.read", sentence: "See roles." },
      { value: "api.roles.write", sentence: "Create and delete roles." },
    ],
  },
  { heading: "Balance", options: [{ value: "api.balance.read", sentence: "See the balance." }] },
];

describe("searchOptions", () => {
  test("finds by name, sentence and heading, in any order of words", () => {
    expect(searchOptions(groups, "delete ROLES")[0]?.options.map((option) => option.value)).toEqual([
      "api.roles.write",
    ]);
    expect(searchOptions(groups, "balance see")).toHaveLength(1);
    expect(searchOptions(groups, "  ")).toHaveLength(2);
    expect(searchOptions(groups, "nothing")).toEqual([]);
  });
});

describe("ticking and clearing", () => {
  const all = ["a", "b", "c"];
  test("orders ticked permissions as in the catalogue", () => {
    expect(chooseValues(all, ["c"], ["a"])).toEqual(["a", "c"]);
  });
  test("clears only the requested options", () => {
    expect(removeValues(["a", "b", "c"], ["a", "b"])).toEqual(["c"]);
  });
  test("never loses a value it does not know", () => {
    expect(chooseValues(all, ["api.new.read", "b"], ["a"])).toEqual(["a", "b", "api.new.read"]);
  });
});
