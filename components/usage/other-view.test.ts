import { expect, test } from "bun:test";
import { sharedFilters } from "./other-view";

const from = (query: string) => {
  const address = new URLSearchParams(query);
  return sharedFilters((name) => address.get(name), "7d");
};

test("requests and usage lead to each other with the filters and the period that both have", () => {
  expect(from("project_id=proj_1&model=a&group_by=model&metric=tokens")).toEqual({
    project_id: "proj_1",
    model: "a",
    range: "7d",
  });
  expect(from("user_id=user_1&range=30d&outcome=refused")).toEqual({ user_id: "user_1", range: "30d" });
  expect(from("from=1&to=2&api_key_id=key_1")).toEqual({ api_key_id: "key_1", from: "1", to: "2" });
});
