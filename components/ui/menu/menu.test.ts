import { expect, test } from "bun:test";
import { findEntries, isSearched } from "./menu";

const entry = (label: string, note?: string) => ({ id: label, label, ...(note && { note }), onSelect() {} });
const projects = {
  heading: "Projects",
  entries: Array.from({ length: 500 }, (_, at) => entry(`Project ${at}`, `proj_${at}`)),
};
const manage = { entries: [entry("All projects")] };

test("a long menu is searched by the beginnings of its words, a short one is not", () => {
  expect(isSearched([projects])).toBe(true);
  expect(isSearched([manage])).toBe(false);
  const labels = (search: string) =>
    findEntries([projects, manage], search).sections.flatMap(({ entries }) =>
      entries.map(({ label }) => label),
    );
  expect(labels("499")).toEqual(["Project 499"]);
  expect(labels("proj_499 project")).toEqual(["Project 499"]);
  expect(labels("all")).toEqual(["All projects"]);
  expect(labels("rojec")).toEqual([]);
});

test("no more than a hundred entries are drawn, and the rest is counted", () => {
  const { sections: found, hiddenCount } = findEntries([projects, manage], "");
  expect([found[0]?.entries.length, found[1]?.entries.length, hiddenCount]).toEqual([100, 1, 400]);
});
