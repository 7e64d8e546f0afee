import { expect, test } from "bun:test";
import { SearchParamsContext } from "next/dist/shared/lib/hooks-client-context.shared-runtime";
import { renderToStaticMarkup } from "react-dom/server";
import { parseMilliseconds, parseStatus, requestParameters } from "./request-filter";
import { useRequestFilter } from "./use-request-filter";

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

test("text that can't filter says why where it is typed, and isn't counted as a filter", () => {
  function Active() {
    const { active } = useRequestFilter(NOW);
    return <p>{active.join(" ")}</p>;
  }
  const query = new URLSearchParams({
    status: "4xx",
    min_duration_ms: "2 s",
    outcome: "lost",
    model: "gpt-5",
  });
  const html = renderToStaticMarkup(
    <SearchParamsContext value={query}>
      <Active />
    </SearchParamsContext>,
  );
  expect(html).toBe("<p>model</p>");
  expect(parseStatus("4xx")).toEqual({ ok: false, message: "Enter a status of three digits, such as 429." });
  expect(parseMilliseconds("2 s")).toEqual({ ok: false, message: "Enter whole milliseconds, such as 1000." });
  expect(parseMilliseconds("1,000")).toEqual({ ok: true, value: "1000" });
});
