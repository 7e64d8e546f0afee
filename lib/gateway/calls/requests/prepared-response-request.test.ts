import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { MAX_ENTRIES } from "@/lib/contract/operations/calls/completions";
import { responseRequest } from "@/lib/contract/operations/calls/responses";
import { isPlainResponseRequest } from "./prepared-response-request";

const long = "x".repeat(513);
const odd = fc.constantFrom<unknown>(
  undefined,
  null,
  "",
  long,
  0,
  -1,
  1.5,
  21,
  Number.POSITIVE_INFINITY,
  true,
  [],
  {},
  [1],
  [long],
);
const or = (usual: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 30, arbitrary: usual }, { weight: 1, arbitrary: odd });
const typed = or(fc.record({ type: or(fc.string()), name: fc.string() }));
const usual: Readonly<Record<keyof typeof responseRequest.shape, fc.Arbitrary<unknown>>> = {
  model: fc.string({ minLength: 1 }),
  input: fc.oneof(fc.string(), fc.array(typed, { maxLength: 3 })),
  instructions: fc.string(),
  stream: fc.boolean(),
  store: fc.boolean(),
  background: fc.boolean(),
  callback_url: fc.string(),
  previous_response_id: fc.string(),
  conversation: fc.string(),
  include: fc.array(fc.string()),
  max_output_tokens: fc.nat(),
  max_tool_calls: fc.nat(),
  temperature: fc.double({ min: 0, max: 2, noNaN: true }),
  top_p: fc.double({ min: 0, max: 1, noNaN: true }),
  presence_penalty: fc.double(),
  frequency_penalty: fc.double(),
  top_logprobs: fc.nat(),
  tools: fc.array(typed, { maxLength: 2 }),
  tool_choice: fc.oneof(fc.string(), typed),
  parallel_tool_calls: fc.boolean(),
  text: fc.record({ format: typed }),
  reasoning: fc.record({ effort: fc.string() }),
  truncation: fc.constantFrom("auto", "disabled", "most"),
  service_tier: fc.string(),
  metadata: fc.dictionary(fc.string(), fc.string()),
  user: fc.string(),
  safety_identifier: fc.string(),
  prompt: fc.record({ id: fc.string() }),
  prompt_cache_key: fc.string(),
  prompt_cache_retention: fc.string(),
};
const request = fc.record(
  Object.fromEntries(Object.entries(usual).map(([name, value]) => [name, or(value)])),
  {
    requiredKeys: [],
  },
);

test("takes only requests for plain that pass the contract's schema, and common ones", () => {
  fc.assert(
    fc.property(request, fc.subarray(Object.keys(usual), { maxLength: 6 }), (value, names) => {
      const picked = Object.fromEntries(["model", ...names].map((name) => [name, value[name]]));
      if (isPlainResponseRequest(picked)) expect(responseRequest.safeParse(picked).success).toBe(true);
    }),
    { numRuns: 10_000 },
  );
  const input = [{ role: "user", content: "Hi" }];
  expect(isPlainResponseRequest({ model: "m", input, stream: true, tools: [{ type: "custom" }] })).toBe(true);
  expect(isPlainResponseRequest({ model: "m", input: Array(MAX_ENTRIES + 1).fill(input[0]) })).toBe(false);
});
