import { expect, test } from "bun:test";
import { requestParameters } from "./request-filter";

const NOW = 1_800_000_000;
const given = (query: Record<string, string>) => (name: string) => query[name] ?? "";

test("drops parameters that the gateway would refuse from a hand-edited address", () => {
  const odd = {
    outcome: "lost",
    status: "many",
    min_amount: "1,5",
    min_duration_ms: "2 s",
    model: " gpt-5 ",
  };
  const asked = Object.entries(requestParameters(given({ ...odd, range: "all" }), NOW));
  expect(asked.filter(([, value]) => value !== undefined)).toEqual([
    ["model", "gpt-5"],
    ["limit", "50"],
  ]);
});
