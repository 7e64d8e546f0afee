import { expect, test } from "bun:test";
import { findVariableValue } from "@/lib/contract/calls/prompt-variables";
import type { PromptContent } from "@/lib/contract/operations/playground/prompts";
import { fillPrompt, listVariables, renderPromptText } from "./prompt-text";

const content: PromptContent = {
  endpoint: "chat_completions",
  body: {
    messages: [
      { role: "system", content: "Write to {{ name }} in {{language}}." },
      {
        role: "user",
        content: [
          { type: "text", text: "{{name}}, {{name}}: {{ not one }}" },
          { type: "image_url", image_url: { url: "{{url}}" } },
        ],
      },
    ],
    user: "{{name}}",
  },
};

test("variables are found only in texts of messages, each once, in order", () => {
  expect(listVariables(content)).toEqual(["name", "language"]);
  const anthropic = { ...content.body, system: [{ type: "text", text: "{{tone}}" }] };
  expect(listVariables({ endpoint: "messages", body: anthropic })).toEqual(["tone", "name", "language"]);
});

test("a value is filled in as it is: what looks like a variable or a pattern in it stays", () => {
  const filled = fillPrompt(content, { name: "{{language}} $& $1", unknown: "x" });
  expect(listContents(filled)[0]).toBe("Write to {{language}} $& $1 in {{language}}.");
  const [text, image] = (listContents(filled)[1] ?? []) as object[];
  expect(text).toEqual({
    type: "text",
    text: "{{language}} $& $1, {{language}} $& $1: {{ not one }}",
  });
  expect(image).toEqual({ type: "image_url", image_url: { url: "{{url}}" } });
  expect(filled?.body.user).toBe("{{name}}");
  expect(fillPrompt(content, { constructor: "no" })).toEqual(content);
});

function listContents(prompt: PromptContent | null): unknown[] {
  return prompt?.endpoint === "responses" ? [] : (prompt?.body.messages.map((one) => one.content) ?? []);
}

const saying = (text: string): PromptContent => ({
  endpoint: "chat_completions",
  body: { messages: [{ role: "user", content: text }] },
});

test("a variable may be named like a property of every object, and has no value unless a case gives one", () => {
  const named = saying("{{constructor}} {{toString}} {{__proto__}}");
  expect(listVariables(named)).toEqual(["constructor", "toString"]);
  expect(fillPrompt(named, {})).toEqual(named);
  expect(findVariableValue({}, "constructor")).toBeUndefined();
  const filled = fillPrompt(named, { constructor: "Ferrari", toString: "" });
  expect(listContents(filled)[0]).toBe("Ferrari  {{__proto__}}");
});

test("a prompt that would become too long is not built", () => {
  const repeated = saying("{{a}}".repeat(200_000));
  expect(fillPrompt(repeated, { a: "x".repeat(20_000) })).toBeNull();
  expect(listContents(fillPrompt(repeated, { a: "x" }))[0]).toHaveLength(200_000);
});

test("a prompt reads as its messages under their roles, and its settings", () => {
  const body = { messages: [{ role: "user" as const, content: "Hi" }], temperature: 0, stop: ["END"] };
  expect(renderPromptText({ endpoint: "messages", body: { ...body, system: "Be short" } })).toBe(
    '[system]\nBe short\n\n[user]\nHi\n\nendpoint: messages\ntemperature: 0\nstop: [\n  "END"\n]',
  );
});

test("the texts of a response are its instructions, its messages and the outputs of its tools", () => {
  const call = { type: "function_call", call_id: "{{no}}", name: "find", arguments: "{{no}}" };
  const response: PromptContent = {
    endpoint: "responses",
    body: {
      instructions: "Be {{tone}}.",
      input: [
        { role: "user", content: [{ type: "input_text", text: "To {{name}}" }] },
        call,
        { type: "function_call_output", call_id: "c1", output: "{{found}}" },
      ],
      store: false,
    },
  };
  expect(listVariables(response)).toEqual(["tone", "name", "found"]);
  expect(fillPrompt(response, { tone: "kind", found: "A cat" })?.body).toMatchObject({
    instructions: "Be kind.",
    input: [{ role: "user" }, call, { output: "A cat" }],
  });
  expect(renderPromptText(response)).toStartWith(
    "[system]\nBe {{tone}}.\n\n[user]\nTo {{name}}\n\n[function_call]\n",
  );
  expect(renderPromptText(response)).toEndWith("endpoint: responses\nstore: false");
  expect(listVariables({ endpoint: "responses", body: { input: "Hi {{you}}" } })).toEqual(["you"]);
});
