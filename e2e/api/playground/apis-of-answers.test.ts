import { describe, expect, test } from "bun:test";
import type { ChatEvent } from "@/lib/console/streaming/chat-event";
import { streamChat } from "@/lib/console/streaming/stream-chat";
import { type ChatEndpoint, chatEndpoints } from "@/lib/contract/access/key-scopes";
import type { Answer } from "../../support/protocols/answer";
import { type Protocols, type ProviderName, serveProtocols } from "../../support/protocols/serve-protocols";

let served: Protocols;
serveProtocols((protocols) => {
  served = protocols;
});

const parameters = { type: "object", properties: { city: { type: "string" } } };
const asked = { role: "user", content: "How is it in Bern?" };

/** The same question in each API, with the call of a tool and what it brought once there is one. */
function toBody(model: string, endpoint: ChatEndpoint, id?: string): object {
  const [name, input, brought] = ["weather", '{"city":"Bern"}', "12 °C, rain"];
  if (endpoint === "responses") {
    const call = { type: "function_call", call_id: id, name, arguments: input };
    const turn = [call, { type: "function_call_output", call_id: id, output: brought }];
    const tools = [{ type: "function", name, parameters, strict: false }];
    return {
      model,
      input: [asked, ...(id ? turn : [])],
      reasoning: { summary: "auto" },
      tools,
      store: false,
    };
  }
  if (endpoint === "messages") {
    const use = { type: "tool_use", id, name, input: JSON.parse(input) };
    const result = { type: "tool_result", tool_use_id: id, content: brought };
    const turn = [
      { role: "assistant", content: [use] },
      { role: "user", content: [result] },
    ];
    const tools = [{ name, input_schema: parameters }];
    return { model, max_tokens: 500, messages: [asked, ...(id ? turn : [])], tools };
  }
  const call = { id, type: "function", function: { name, arguments: input } };
  const turn = [
    { role: "assistant", content: null, tool_calls: [call] },
    { role: "tool", tool_call_id: id, content: brought },
  ];
  const tools = [{ type: "function", function: { name, parameters } }];
  return { model, messages: [asked, ...(id ? turn : [])], tools };
}

/** Asks as the playground does. */
async function ask(model: ProviderName, endpoint: ChatEndpoint, callId?: string): Promise<ChatEvent[]> {
  const { baseUrl, key: token, projectId } = served.gateway;
  const connection = { url: baseUrl.replace(/\/v1$/, ""), token };
  const { signal } = new AbortController();
  const body = toBody(model, endpoint, callId);
  return Array.fromAsync(streamChat(connection, body, { projectId, signal, endpoint }));
}

const join = (events: readonly ChatEvent[], type: "text" | "thinking") =>
  events.map((event) => (event.type === type ? event.text : "")).join("");

const usage = { prompt: 172, cached: 155, written: 0, written1h: 0, completion: 60, reasoning: 40 };
const answers: readonly (readonly [string, Answer, string])[] = [
  ["a text after thinking", { thinking: "Let me see", text: "It rains", end: "end", usage }, "completed"],
  ["a text that is cut off", { text: "It ra", end: "length", usage }, "max_output_tokens"],
];

describe.each(["openai", "anthropic"] as const)("by a provider such as %s", (model) => {
  test.each(answers)("%s reads the same in each API", async (_, answer, reason) => {
    served.answerWith(model, answer);
    for (const endpoint of chatEndpoints) {
      const events = await ask(model, endpoint);
      // A message thinks only where that is asked for.
      const thought = endpoint === "messages" ? join(events, "thinking") : (answer.thinking ?? "");
      expect([endpoint, join(events, "text"), join(events, "thinking")]).toEqual([
        endpoint,
        answer.text ?? "",
        thought,
      ]);
      expect(events.filter(({ type }) => type === "problem")).toEqual([]);
      if (endpoint !== "responses") continue;
      expect(events).toContainEqual({ type: "finish", reason });
      const counted = { promptTokens: 172, completionTokens: 60, cachedTokens: 155 };
      expect(events.find(({ type }) => type === "usage")).toMatchObject(counted);
    }
  });

  test.each(chatEndpoints)("a tool is called, answered and told of in %s", async (endpoint) => {
    served.answerWith(model, { calls: [{ name: "weather", input: { city: "Bern" } }], end: "calls", usage });
    const pieces = (await ask(model, endpoint)).filter((event) => event.type === "tool_call");
    const [first] = pieces;
    const input = pieces.map((piece) => piece.arguments).join("");
    expect([first?.name, JSON.parse(input)]).toEqual(["weather", { city: "Bern" }]);
    served.answerWith(model, { text: "It rains", end: "end", usage });
    const told = await ask(model, endpoint, first?.id ?? "");
    expect(join(told, "text")).toBe("It rains");
    expect(JSON.stringify(served.readSent(model))).toContain("12 °C, rain");
  });
});

test("a call whose provider fails says why in each API", async () => {
  served.answerWith("openai", () => Response.json({ error: { message: "Overloaded" } }, { status: 500 }));
  const message = "The model's provider failed to answer. You were not charged for it; try again.";
  for (const endpoint of chatEndpoints)
    expect((await ask("openai", endpoint)).at(-1)).toMatchObject({ type: "problem", problem: { message } });
});
