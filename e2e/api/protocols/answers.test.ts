import { describe, expect, test } from "bun:test";
import { readCharge, readHeld } from "../../support/clients/list-charges";
import { readReceipt } from "../../support/clients/read-requests";
import type { Answer, AnswerUsage } from "../../support/protocols/answer";
import { askForResponse } from "../../support/protocols/ask-response";
import { askForChat, askForMessage } from "../../support/protocols/read-answer";
import {
  PRICES,
  type Protocols,
  type ProviderName,
  providerNames,
  serveProtocols,
} from "../../support/protocols/serve-protocols";

let served: Protocols;
serveProtocols((protocols) => {
  served = protocols;
});

const plainUsage: AnswerUsage = {
  prompt: 100,
  cached: 0,
  written: 0,
  written1h: 0,
  completion: 20,
  reasoning: 0,
};
const tools = ["weather", "search", "now"];

/** Each answer reaches each client as its provider gave it, but for `differences`. */
const answers: readonly { readonly name: string; readonly answer: Answer }[] = [
  { name: "a text", answer: { text: "Hello there", end: "end", usage: plainUsage } },
  { name: "a text that is cut off", answer: { text: "Hello th", end: "length", usage: plainUsage } },
  { name: "a refusal", answer: { text: "I can't", end: "filter", usage: plainUsage } },
  {
    name: "a safety block without a text",
    answer: { end: "filter", usage: { ...plainUsage, completion: 0 } },
  },
  {
    name: "a text after thinking",
    answer: {
      thinking: "Let me think",
      text: "Hello there",
      end: "end",
      usage: { ...plainUsage, completion: 90, reasoning: 70 },
    },
  },
  {
    name: "parallel calls of tools, one without an input",
    answer: {
      calls: [
        { name: "weather", input: { city: 'Zürich "ZH"' } },
        { name: "now", input: {} },
        { name: "search", input: { q: "a", filters: [{ year: 2026 }] } },
      ],
      end: "calls",
      usage: plainUsage,
    },
  },
  {
    name: "thinking, a text and a call",
    answer: {
      thinking: "I need the weather",
      text: "Let me look",
      calls: [{ name: "weather", input: { city: "Bern" } }],
      end: "calls",
      usage: { ...plainUsage, completion: 60, reasoning: 40 },
    },
  },
  {
    name: "a prompt that was read from a cache and written to one",
    answer: {
      text: "Hello",
      end: "end",
      usage: { ...plainUsage, prompt: 172, cached: 155, written: 13, written1h: 4 },
    },
  },
];

const messages = [{ role: "user", content: "one two three four five six seven eight nine ten ".repeat(8) }];
const schema = { type: "object", properties: {} };
const clients = {
  chat: (model: ProviderName, isStream: boolean) =>
    askForChat(
      served.gateway,
      {
        model,
        messages,
        max_completion_tokens: 8_000,
        ...(model !== "openai" && { reasoning_effort: "high" }),
        tools: tools.map((name) => ({ type: "function", function: { name, parameters: schema } })),
      },
      isStream,
    ),
  messages: (model: ProviderName, isStream: boolean) =>
    askForMessage(
      served.gateway,
      {
        model,
        messages,
        max_tokens: 8_000,
        thinking: { type: "enabled", budget_tokens: 4_000 },
        tools: tools.map((name) => ({ name, input_schema: schema })),
      },
      isStream,
    ),
  responses: (model: ProviderName, isStream: boolean) =>
    askForResponse(
      served.gateway,
      {
        model,
        input: messages,
        max_output_tokens: 8_000,
        ...(model !== "openai" && { reasoning: { effort: "high" } }),
        tools: tools.map((name) => ({ type: "function", name, parameters: schema })),
      },
      isStream,
    ),
} as const;

type ClientName = keyof typeof clients;

/** What a client reads otherwise, and why that stays. */
const differences: readonly {
  readonly why: string;
  isMet(provider: ProviderName, client: ClientName, isStream: boolean): boolean;
  tell(answer: Answer): Answer;
}[] = [
  {
    why: "Gemini's own streams end calls with `stop`, and pass as bytes",
    isMet: (provider, client, isStream) => provider === "gemini" && client === "chat" && isStream,
    tell: (answer) => (answer.end === "calls" ? { ...answer, end: "end" } : answer),
  },
  {
    why: "Anthropic's SDK takes the lifetimes of a cache from the stream's start, before a chat tells them",
    isMet: (provider, client, isStream) => provider !== "anthropic" && client === "messages" && isStream,
    tell: (answer) => ({ ...answer, usage: { ...answer.usage, written1h: 0 } }),
  },
  {
    why: "responses don't tell how long a cache is kept",
    isMet: (_, client) => client === "responses",
    tell: (answer) => ({ ...answer, usage: { ...answer.usage, written1h: 0 } }),
  },
];

/** The charge by the prices, in millionths. */
function computeCharge({ prompt, cached, written, written1h, completion }: AnswerUsage): number {
  return (
    (prompt - cached - written) * PRICES.input +
    cached * PRICES.cached +
    (written - written1h) * PRICES.written +
    written1h * PRICES.written1h +
    completion * PRICES.output
  );
}

describe.each(providerNames)("%s", (provider) => {
  describe.each(["chat", "messages", "responses"] as const)("asked in %s", (client) => {
    test.each(answers)("gives $name, whole and streamed, at the same charge", async ({ answer }) => {
      served.answerWith(provider, answer);
      for (const isStream of [false, true]) {
        const { answer: read, requestId } = await clients[client](provider, isStream);
        const met = differences.filter(({ isMet }) => isMet(provider, client, isStream));
        expect(read).toEqual(met.reduce((expected, { tell }) => tell(expected), answer));
        const charge = await readCharge(served.gateway, requestId);
        expect([charge.basis, Number(charge.amount) * 1e6]).toEqual([
          "reported",
          expect.closeTo(computeCharge(answer.usage), 6),
        ]);
        const { hold } = await readReceipt(served.gateway, requestId);
        expect(Number(hold?.amount)).toBeGreaterThanOrEqual(Number(charge.amount));
        expect(hold?.state).toBe("settled");
      }
      expect(await readHeld(served.gateway)).toBe("0.00");
    });
  });
});
