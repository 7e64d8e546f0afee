import { describe, expect, test } from "bun:test";
import { createOpenAI } from "@ai-sdk/openai";
import { generateText, jsonSchema, Output, stepCountIs, streamText, tool } from "ai";
import { type Protocols, serveProtocols } from "../../support/protocols/serve-protocols";

let served: Protocols;
serveProtocols((protocols) => {
  served = protocols;
});

const usage = { prompt: 10, cached: 0, written: 0, written1h: 0, completion: 5, reasoning: 0 };
const city = jsonSchema<{ city: string }>({
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
});

/** The AI SDK's own package for OpenAI speaks responses unless it is told otherwise. */
const modelOf = (model: string) =>
  createOpenAI({ baseURL: served.gateway.baseUrl, apiKey: served.gateway.key })(model);

describe.each(["openai", "gemini", "anthropic"] as const)("the AI SDK, as it comes, with %s", (model) => {
  const weather = tool({
    description: "Tells the weather",
    inputSchema: city,
    execute: async ({ city: place }) => `Rain in ${place}`,
  });
  const asked = {
    prompt: "How is it?",
    tools: { weather },
    stopWhen: stepCountIs(5),
    maxRetries: 0,
    maxOutputTokens: 4_000,
  } as const;

  /** The model calls a tool, and answers once it has the result. */
  function answerInTurns(): void {
    let isCalled = false;
    const answer = () => {
      const isFirst = !isCalled;
      isCalled = true;
      return isFirst
        ? {
            ...(model !== "openai" && { thinking: "Hm" }),
            calls: [{ name: "weather", input: { city: "Bern" } }],
            end: "calls",
            usage,
          }
        : { text: "It rains", end: "end", usage };
    };
    served.answerInTurn(model, answer as never);
  }

  test("finishes a loop of tools, whole and streamed", async () => {
    answerInTurns();
    expect((await generateText({ model: modelOf(model), ...asked })).text).toBe("It rains");
    answerInTurns();
    const streamed = streamText({ model: modelOf(model), ...asked });
    expect(await streamed.text).toBe("It rains");
    expect(JSON.stringify(served.readSent(model))).toContain("Rain in Bern");
  });

  test("reads an object of a schema", async () => {
    served.answerWith(model, { text: '{"city":"Bern"}', end: "end", usage });
    const { output } = await generateText({
      model: modelOf(model),
      prompt: "Where?",
      maxRetries: 0,
      output: Output.object({ schema: city }),
    });
    expect(output).toEqual({ city: "Bern" });
  });
});
