import { expect, test } from "bun:test";
import type { Health } from "@/lib/contract/operations/usage/health";
import type { NearLimit } from "@/lib/contract/operations/usage/limit-usage";
import { findConcerns } from "./find-concerns";

const limit = (model: string, of: Partial<NearLimit>): NearLimit => ({
  object: "rate_limit.near",
  id: `proj_1/${model}/${of.field}`,
  project_id: "proj_1",
  model,
  field: "max_requests_per_1_minute",
  max: 600,
  peak_1_day: 0,
  refused_1_day: 0,
  ...of,
});

const buildModel = (id: string, calls: number, errors: number): Health["models"][number] => ({
  id,
  providers: ["openai"],
  calls,
  errors,
  first_byte_p50_ms: null,
  first_byte_p95_ms: null,
  tokens_per_second: null,
});

const findName = () => "Support bot";

test("limits that refused come before failing models, and those before limits that were nearly used up", () => {
  const limits = [
    limit("b", { field: "max_tokens_per_1_minute", refused_1_day: 214, peak_1_day: 600 }),
    limit("c", { refused_1_day: 1 }),
    limit("a", { peak_1_day: 552 }),
  ];
  const health = { models: [buildModel("d", 1000, 62)], providers: [] };
  expect(findConcerns(limits, health, findName).map(({ title, detail }) => [title, detail])).toEqual([
    ["Tokens per minute refused 214 calls", "b in Support bot · limit 600 now"],
    ["Requests per minute refused 1 call", "c in Support bot · limit 600 now"],
    ["d failed 6.2 % of its calls", "62 of 1,000 calls · openai"],
    ["Requests per minute reached 92 %", "a in Support bot · peak 552 of 600"],
  ]);
});

test("a limit leads to its own project, which need not be the selected one", () => {
  const [concern] = findConcerns([limit("b", { refused_1_day: 2 })], undefined, findName);
  expect(concern?.links.map(({ href }) => href)).toEqual([
    "/requests?project_id=proj_1&model=b&refused_by=max_requests_per_1_minute&range=24h",
    "/projects/proj_1/limits/b",
  ]);
});

test("an open circuit comes first, with its cause", () => {
  const circuit = {
    model: "gpt-5",
    failures: 10,
    threshold: 10,
    since: 1,
    next_try_at: null,
    is_trying: false,
    cause: "openai answered 500.",
  };
  const provider = {
    id: "openai",
    calls_under_way: 0,
    max_calls_under_way: null,
    last_failure: null,
    open_circuits: [circuit],
  };
  const limits = [limit("b", { refused_1_day: 2 })];
  expect(findConcerns(limits, { models: [], providers: [provider] }, findName)[0]).toMatchObject({
    title: "Calls to gpt-5 at openai are stopped",
    detail: "openai answered 500.",
    tone: "bad",
  });
});
