import { expect, test } from "bun:test";
import { parseJsonObject } from "../../http/json";
import { parseChatRequest } from "./chat-request";
import { findPricedFeatures } from "./priced-fields";

const read = (fields: string) =>
  parseChatRequest(
    parseJsonObject(Buffer.from(`{"model":"m","messages":[{"role":"user","content":"Hi"}],${fields}}`), {
      entries: 1_000,
    }),
  );

/** A request to a model that has no prices but those of its tokens. */
function parse(fields: string) {
  const request = read(fields);
  findPricedFeatures(request);
  return request;
}

test.each([
  ['"max_output_tokens":9', "max_output_tokens"],
  ['"options":{"service_tier":"priority"}', "options.service_tier"],
  ['"service_tier":"ultrafast"', "service_tier"],
  ['"serviceTier":"priority"', "serviceTier"],
  ['"extra_body":{"web_search_options":{}}', "extra_body.web_search_options"],
  ['"maxOutputTokens":9', "maxOutputTokens"],
  ['"MAX_TOKENS":9', "MAX_TOKENS"],
  ['"max_to\\u212aens":9', "max_to\u212aens"],
  ['"max-completion-tokens":9', "max-completion-tokens"],
  ['"max_new_token\\u0073":9', "max_new_tokens"],
  ['"num_predict":-1', "num_predict"],
  ['"options":{"num_predict":-1}', "options.num_predict"],
  ['"generation_config":{"maxOutputTokens":9}', "generation_config.maxOutputTokens"],
  ['"extra_body":{"a":[{"max_tokens":9}]}', "extra_body.a.0.max_tokens"],
  ['"max_tokens":5,"max_completion_tokens":9', "max_completion_tokens"],
  ['"N":9', "N"],
  ['"options":{"n":9}', "options.n"],
  ['"best_of":9', "best_of"],
  ['"candidateCount":9', "candidateCount"],
  ['"num_return_sequences":9', "num_return_sequences"],
  ['"use_beam_search":true', "use_beam_search"],
  ['"Model":"dearer"', "Model"],
  ['"models":["dearer"]', "models"],
  ['"service_tier":"priority"', "service_tier"],
  ['"web_search_options":{}', "web_search_options"],
  ['"tools":[{"type":"web_search"}]', "tools.0.type"],
  ['"prediction":{"type":"content","content":"a"}', "prediction"],
  ['"min_tokens":9', "min_tokens"],
  ['"max_tokens":8,"reasoning":{"budget_tokens":9}', "reasoning.budget_tokens"],
  ['"stream":true,"stream_options":{"Include_Usage":false}', "stream_options.Include_Usage"],
])("what makes a call cost more than it is held for is refused: %s", (fields, param) => {
  expect(() => parse(fields)).toThrow(expect.objectContaining({ status: 400, details: { param } }));
});

test.each([
  '"max_tokens":5,"max_completion_tokens":5',
  '"max_tokens":5,"max_completion_tokens":null,"n":3',
  '"best_of":1,"num_return_sequences":null,"use_beam_search":false,"service_tier":"auto"',
  '"thinking_budget":4096',
  '"max_tokens":9,"min_tokens":9,"reasoning":{"effort":"low"},"reasoning_effort":"high"',
  '"tools":[{"type":"function","function":{"name":"f","parameters":{"properties":{"n":{"maxLength":9}}}}}]',
  '"response_format":{"type":"json_schema","json_schema":{"schema":{"properties":{"model":{"maxLength":1}}}}}',
  '"metadata":{"model":"a"},"logit_bias":{"50256":-100},"top_k":40,"stop":["n"],"unheard_of":{"a":[1,2]}',
])("what doesn't passes: %s", (fields) => {
  expect(parse(fields).text).toContain(fields);
});

const all = { cacheWrites: true, priority: true, tools: ["web_search"] };
test.each<[string, object]>([
  ['"user":"a"', {}],
  ['"service_tier":"priority"', { isPriority: true }],
  ['"cache_control":{"type":"ephemeral"}', { cacheWrite: "5m" }],
  ['"x":[{"cache_control":{"type":"ephemeral","ttl":"1h"}}]', { cacheWrite: "1h" }],
  ['"prompt_cache_key":"k"', { cacheWrite: "5m" }],
  ['"x":[{"cache\\u005fcontrol":{"type":"ephemeral"}}]', { cacheWrite: "1h" }],
  ['"web_search_options":{}', { toolCalls: { web_search: { max: 1, min: 1 } } }],
  [
    '"tools":[{"type":"web_search_20250305","max_uses":3}]',
    { toolCalls: { web_search: { max: 3, min: 0 } } },
  ],
  ['"tools":[{"type":"web_search","max_uses":-1}]', { toolCalls: { web_search: { max: 5, min: 0 } } }],
])("what has a price passes, and is told: %s", (fields, features) => {
  expect(findPricedFeatures(read(fields), all)).toEqual(features);
});

test("a tool of the provider without a price is refused by its name", () => {
  const refused = expect.objectContaining({ status: 400, details: { param: "tools.1.type" } });
  const request = read('"tools":[{"type":"web_search"},{"type":"code_interpreter"}]');
  expect(() => findPricedFeatures(request, all)).toThrow(refused);
});
