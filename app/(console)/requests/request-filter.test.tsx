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

test("finds a request's id in what surrounds it where it was copied", () => {
  const id = "req_01m8aje0974r90brzy6brtzx63";
  const asked = (text: string) => requestParameters(given({ request_id: text }), NOW).request_id;
  for (const text of [
    `  ${id} `,
    `"${id}",`,
    `request_id: ${id}`,
    `http://console/requests/${id}`,
    id.toUpperCase(),
  ])
    expect([text, asked(text)]).toEqual([text, id]);
  expect(asked("txn_01m8aje0974r90brzy6brtzx63")).toBe("txn_01m8aje0974r90brzy6brtzx63");
  expect(asked("nothing of the kind")).toBe("nothing of the kind");
});
