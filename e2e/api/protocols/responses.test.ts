import { describe, expect, test } from "bun:test";
import { catchRefusal, officialClient } from "../../support/clients/official-client";
import { readReceipt } from "../../support/clients/read-requests";
import { createResponse } from "../../support/protocols/ask-response";
import { type Protocols, type ProviderName, serveProtocols } from "../../support/protocols/serve-protocols";

let served: Protocols;
serveProtocols((protocols) => {
  served = protocols;
});

type Fields = Record<string, unknown>;
const usage = { prompt: 10, cached: 0, written: 0, written1h: 0, completion: 5, reasoning: 0 };
const providers = ["reasoning", "gemini", "anthropic"] as const;

async function both(body: Fields & { model: ProviderName }) {
  return [
    await createResponse(served.gateway, body, false),
    await createResponse(served.gateway, body, true),
  ];
}

describe.each(providers)("%s", (model) => {
  test("answers a text with all keys of a response, whole and streamed", async () => {
    served.answerWith(model, { text: "Hello there", end: "end", usage });
    const [whole, streamed] = await both({
      model,
      instructions: "Be brief",
      input: "Hi",
      temperature: 1,
      metadata: { team: "blue" },
    });
    for (const read of [whole, streamed]) {
      expect(read?.response.id.slice(5)).toBe(String(read?.headers.get("x-request-id")).slice(4));
      expect(read?.response).toMatchObject({
        id: expect.stringMatching(/^resp_\w+$/),
        object: "response",
        status: "completed",
        model,
        background: false,
        completed_at: expect.any(Number),
        error: null,
        frequency_penalty: 0,
        incomplete_details: null,
        instructions: "Be brief",
        max_output_tokens: null,
        max_tool_calls: null,
        metadata: { team: "blue" },
        parallel_tool_calls: true,
        presence_penalty: 0,
        previous_response_id: null,
        prompt_cache_key: null,
        reasoning: { effort: null, summary: null },
        safety_identifier: null,
        service_tier: expect.any(String),
        store: false,
        temperature: 1,
        text: { format: { type: "text" } },
        tool_choice: "auto",
        tools: [],
        top_logprobs: 0,
        top_p: 1,
        truncation: "disabled",
        output: [
          {
            id: expect.stringMatching(/^msg_\w+$/),
            type: "message",
            role: "assistant",
            status: "completed",
            content: [{ type: "output_text", text: "Hello there", annotations: [], logprobs: [] }],
          },
        ],
        usage: {
          input_tokens: 10,
          input_tokens_details: { cached_tokens: 0 },
          output_tokens: 5,
          output_tokens_details: { reasoning_tokens: 0 },
          total_tokens: 15,
        },
      } as never);
    }
    const { client, settings } = await readReceipt(
      served.gateway,
      whole?.headers.get("x-request-id") ?? null,
    );
    expect([client?.endpoint, settings?.temperature]).toEqual(["responses", 1]);
  });
});

test.each(["gemini", "anthropic"] as const)(
  "%s gets again what led to a call, and no other server gets its thinking",
  async (model) => {
    const tools = [{ type: "function", name: "weather", parameters: { type: "object", properties: {} } }];
    served.answerWith(model, {
      thinking: "I need the weather",
      calls: [{ name: "weather", input: { city: "Bern" } }],
      end: "calls",
      usage,
    });
    const question = { role: "user", content: "How is it?" };
    const asked = {
      model,
      input: [question],
      tools,
      include: ["reasoning.encrypted_content"],
      reasoning: { effort: "high", summary: "auto" },
    };
    const [, streamed] = await both(asked);
    const output = streamed?.response.output as unknown as Fields[];
    expect(output.map(({ type }) => type)).toEqual(["reasoning", "function_call"]);
    expect(output[0]).toMatchObject({ summary: [{ type: "summary_text", text: "I need the weather" }] });
    const result = { type: "function_call_output", call_id: output[1]?.call_id, output: "Rain" };
    served.answerWith(model, { text: "It rains", end: "end", usage });
    await createResponse(served.gateway, { ...asked, input: [question, ...output, result] }, false);
    const sent = JSON.stringify(served.readSent(model));
    expect(sent).toContain("I need the weather");
    expect(sent).toContain("Rain");
    expect(sent).not.toContain("__gh1_");
    const other = model === "anthropic" ? "openai" : "anthropic";
    served.answerWith(other, { text: "It rains", end: "end", usage });
    const moved = { ...asked, model: other, reasoning: undefined, input: [question, ...output, result] };
    const { headers } = await createResponse(served.gateway, moved, true);
    expect(JSON.stringify(served.readSent(other))).not.toContain("I need the weather");
    expect(headers.get("x-gatehouse-left-out")).toContain("input.reasoning");
  },
);

test("what no response can be made of is refused, and names its field", async () => {
  const client = officialClient(served.gateway.baseUrl, served.gateway.key);
  const cases: readonly [Fields, string, string][] = [
    [{}, "missing_field", "input"],
    [{ input: [] }, "missing_field", "input"],
    [{ input: "Hi", temperature: 3 }, "invalid_value", "temperature"],
    [{ input: "Hi", previous_response_id: "resp_1" }, "previous_response_not_found", "previous_response_id"],
    [{ input: "Hi", background: true }, "invalid_value", "background"],
    [{ input: "Hi", truncation: "auto" }, "invalid_value", "truncation"],
    [{ input: "Hi", tools: [{ type: "web_search" }] }, "unsupported_tool", "tools"],
    [{ input: [{ role: "robot", content: "Hi" }] }, "invalid_value", "input.0.role"],
    [
      { input: [{ role: "user", content: [{ type: "input_hologram" }] }] },
      "invalid_value",
      "input.0.content.0.type",
    ],
    [{ input: [{ type: "item_reference", id: "msg_1" }] }, "invalid_value", "input.0"],
  ];
  for (const [fields, code, param] of cases) {
    const refusal = await catchRefusal(client.responses.create({ model: "openai", ...fields } as never));
    expect([refusal.status, refusal.code, refusal.param]).toEqual([400, code, param]);
  }
});
