import { describe, expect, test } from "bun:test";
import type { Anthropic } from "@anthropic-ai/sdk";
import { createAnthropicClient, echoMessage } from "../../support/clients/anthropic-client";
import { serveScriptedForEach } from "../../support/gateways/serve-scripted";
import {
  chunkEvent,
  DONE,
  type ScriptedProvider,
  streamChunks,
  usageEvent,
} from "../../support/servers/scripted-provider";

let provider: ScriptedProvider;
let client: Anthropic;

serveScriptedForEach((served) => {
  provider = served.provider;
  client = createAnthropicClient(served.gateway);
});

const usage = { prompt_tokens: 11, completion_tokens: 3, total_tokens: 14 };
const tool = { name: "weather", input_schema: { type: "object" as const, properties: {} } };
const call = { id: "c1", type: "function", function: { name: "weather", arguments: "{}" } };
const plain = { ...echoMessage("Weather?"), model: "fake", tools: [tool] };

/** Two turns: the provider answers with these fields, as a whole or in these deltas, and gets the answer back. */
async function converse(asking: object, fields: object, deltas: readonly object[] = [fields]) {
  const returned: unknown[] = [];
  const contents: Anthropic.ContentBlock[][] = [];
  for (const stream of [false, true]) {
    provider.answerWith(() =>
      stream
        ? streamChunks([...deltas.map((delta) => chunkEvent(delta)), usageEvent(usage), DONE])
        : Response.json({ model: "x", choices: [{ index: 0, message: fields }], usage }),
    );
    const first = { ...plain, ...asking };
    const { content } = stream
      ? await client.messages.stream(first).finalMessage()
      : await client.messages.create(first);
    contents.push(content);
    provider.answerWith(() =>
      Response.json({ model: "x", choices: [{ message: { content: "Sunny" } }], usage }),
    );
    const results = content.flatMap((block) =>
      block.type === "tool_use"
        ? [{ type: "tool_result" as const, tool_use_id: block.id, content: "Sun" }]
        : [],
    );
    await client.messages.create({
      ...first,
      messages: [...plain.messages, { role: "assistant", content }, { role: "user", content: results }],
    });
    returned.push(JSON.parse(provider.visits.at(-1)?.body ?? "").messages.slice(1));
  }
  expect(returned[1]).toEqual(returned[0]);
  return { contents, returned: returned[0] as object[] };
}

const adaptive = { thinking: { type: "adaptive" } };
const omitted = { thinking: { type: "adaptive", display: "omitted" } };

describe("what a provider wants again of its answer comes back to it", () => {
  test.each(["reasoning_content", "reasoning", "thoughts_of_next_month"])(
    "%s, whether the caller asked to see it or not",
    async (name) => {
      const fields = { content: null, [name]: "Let me see", tool_calls: [call] };
      const deltas = [{ [name]: "Let me " }, { [name]: "see" }, { tool_calls: [{ index: 0, ...call }] }];
      for (const asking of [adaptive, omitted, {}]) {
        const { returned, contents } = await converse(asking, fields, deltas);
        expect(returned).toEqual([
          { role: "assistant", content: null, [name]: "Let me see", tool_calls: [call] },
          { role: "tool", tool_call_id: "c1", content: "Sun" },
        ]);
        for (const content of contents) expect(content.at(-1)?.type).toBe("tool_use");
      }
    },
  );

  test("a thinking block is signed, precedes the call, and shows nothing to callers who didn't ask", async () => {
    const fields = { content: "Hm.", reasoning_content: "Let me see", tool_calls: [call] };
    const deltas = [
      { reasoning_content: "Let me see" },
      { content: "Hm." },
      { tool_calls: [{ index: 0, ...call }] },
    ];
    const shown = await converse(adaptive, fields, deltas);
    const hidden = await converse(omitted, fields, deltas);
    const unasked = await converse({}, fields, deltas);
    for (const content of shown.contents)
      expect(content).toMatchObject([
        { type: "thinking", thinking: "Let me see", signature: expect.stringMatching(/./) },
        { type: "text" },
        { type: "tool_use" },
      ]);
    for (const content of hidden.contents)
      expect(content).toMatchObject([
        { type: "thinking", thinking: "" },
        { type: "text" },
        { type: "tool_use" },
      ]);
    for (const content of unasked.contents)
      expect(content).toMatchObject([{ type: "redacted_thinking" }, { type: "text" }, { type: "tool_use" }]);
  });

  test("reasoning_details in pieces, with their signatures", async () => {
    const details = [
      { type: "reasoning.text", text: "Let me see", index: 0, signature: "s1" },
      { type: "reasoning.encrypted", data: "abc", id: "e1", index: 1 },
    ];
    const fields = { content: null, reasoning: "Let me see", reasoning_details: details, tool_calls: [call] };
    const deltas = [
      { reasoning: "Let me ", reasoning_details: [{ type: "reasoning.text", text: "Let me ", index: 0 }] },
      { reasoning: "see", reasoning_details: [{ type: "reasoning.text", text: "see", index: 0 }] },
      { reasoning_details: [{ type: "reasoning.text", signature: "s1", index: 0 }, details[1]] },
      { tool_calls: [{ index: 0, ...call }] },
    ];
    for (const asking of [adaptive, {}]) {
      const { returned } = await converse(asking, fields, deltas);
      expect(returned[0]).toEqual({ role: "assistant", ...fields });
    }
  });

  test("a signature on a tool call", async () => {
    const signed = { ...call, extra_content: { google: { thought_signature: "c2ln+/==" } } };
    const { returned } = await converse({}, { content: null, tool_calls: [signed] }, [
      { tool_calls: [{ index: 0, ...signed }] },
    ]);
    expect(returned).toEqual([
      { role: "assistant", content: null, tool_calls: [signed] },
      { role: "tool", tool_call_id: "c1", content: "Sun" },
    ]);
  });

  test("thinking that stood in the content", async () => {
    const thought = { type: "thinking", thinking: [{ type: "text", text: "Let me see" }] };
    const fields = { content: [thought, { type: "text", text: "Hm." }], tool_calls: [call] };
    const { returned } = await converse(adaptive, fields);
    expect(returned[0]).toEqual({ role: "assistant", ...fields });
  });
});

test("what another service sealed is left out and named, and a broken seal is none", async () => {
  provider.answerWith(() => Response.json({ model: "x", choices: [{ message: { content: "42" } }], usage }));
  for (const signature of ["EqQBCgIYAhIM", "gh1_", "gh1_bm9uZQ", "gh1_eyJvcmlnaW4iOjF9"]) {
    const { response } = await client.messages
      .create({
        ...plain,
        messages: [
          ...plain.messages,
          {
            role: "assistant",
            content: [
              { type: "thinking", thinking: "Hm", signature },
              { type: "text", text: "Well" },
            ],
          },
          { role: "user", content: "So?" },
        ],
      })
      .withResponse();
    expect(response.headers.get("x-gatehouse-left-out")).toBe("messages.content.thinking");
    expect(JSON.parse(provider.visits.at(-1)?.body ?? "").messages[1]).toEqual({
      role: "assistant",
      content: "Well",
    });
  }
});
