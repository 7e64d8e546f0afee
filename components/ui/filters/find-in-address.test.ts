import { expect, test } from "bun:test";
import { findInQuery } from "./time-range";

test("a page reads a repeated parameter as the browser does, so that what it read ahead is used", () => {
  const search = new URLSearchParams("outcome=refused&outcome=completed&model=gpt-5&text=");
  const find = findInQuery({ outcome: ["refused", "completed"], model: "gpt-5", text: "" });
  for (const name of ["outcome", "model", "text", "absent"])
    expect([name, find(name)]).toEqual([name, search.get(name) ?? ""]);
});
