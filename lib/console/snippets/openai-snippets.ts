import { callLiteral } from "./api-snippets";
import { toPython } from "./python-literal";
import { commentOn, type SnippetCall } from "./snippet-call";

// Safe for the browser.

/** A chat completion with OpenAI's library for TypeScript. */
export function openaiSnippet(call: SnippetCall): string {
  const { baseUrl, body, streams } = call;
  return `import OpenAI from "openai";

const client = new OpenAI({
  baseURL: ${JSON.stringify(baseUrl)},
  apiKey: process.env.GATEHOUSE_API_KEY,
});

${commentOn(call, "A chat completion")}const ${streams ? "stream" : "completion"} = await ${callLiteral("client.chat.completions.create", body)}
${streams ? printPieces(body) : `${body.tools ? "console.log(JSON.stringify(completion.choices[0].message, null, 2));" : "console.log(completion.choices[0].message.content);"}`}`;
}

function printPieces({ tools }: SnippetCall["body"]): string {
  const line = tools
    ? "console.log(JSON.stringify(chunk.choices[0]?.delta));"
    : 'process.stdout.write(chunk.choices[0]?.delta?.content ?? "");';
  return `for await (const chunk of stream) {\n  ${line}\n}`;
}

/** Parameters that OpenAI's library for Python knows by name. It refuses others, which go into `extra_body`. */
const sdkFields = new Set([
  "model",
  "messages",
  "temperature",
  "top_p",
  "n",
  "max_tokens",
  "max_completion_tokens",
  "stop",
  "seed",
  "presence_penalty",
  "frequency_penalty",
  "logit_bias",
  "logprobs",
  "top_logprobs",
  "reasoning_effort",
  "response_format",
  "tools",
  "tool_choice",
  "parallel_tool_calls",
  "stream",
  "stream_options",
  "user",
]);

/** A chat completion with OpenAI's library for Python. */
export function openaiPythonSnippet(call: SnippetCall): string {
  const { baseUrl, body, streams } = call;
  const fields = Object.entries(body).filter(([name]) => sdkFields.has(name));
  const extraFields = Object.entries(body).filter(([name]) => !sdkFields.has(name));
  const allFields =
    extraFields.length > 0 ? [...fields, ["extra_body", Object.fromEntries(extraFields)] as const] : fields;
  const parameters = allFields.map(([name, value]) => `    ${name}=${toPython(value, "    ")},\n`).join("");
  return `import os
from openai import OpenAI

client = OpenAI(
    base_url=${JSON.stringify(baseUrl)},
    api_key=os.environ["GATEHOUSE_API_KEY"],
)

${commentOn(call, "A chat completion", "#")}${streams ? "stream" : "completion"} = client.chat.completions.create(
${parameters})
${streams ? printPythonPieces(body) : `print(completion.choices[0].message${body.tools ? "" : ".content"})`}`;
}

function printPythonPieces({ tools }: SnippetCall["body"]): string {
  const line = tools
    ? "print(chunk.choices[0].delta)"
    : 'print(chunk.choices[0].delta.content or "", end="", flush=True)';
  return `for chunk in stream:\n    if chunk.choices:\n        ${line}`;
}
