import { callLiteral } from "./api-snippets";
import { toPython } from "./python-literal";
import { commentOn, type SnippetCall } from "./snippet-call";

// Safe for the browser.

/** A chat completion with OpenAI's library for TypeScript. */
export function openaiSnippet(call: SnippetCall): string {
  const { body, streams } = call;
  const { tools } = body;
  const whole = tools
    ? "console.log(JSON.stringify(completion.choices[0].message, null, 2));"
    : "console.log(completion.choices[0].message.content);";
  const piece = tools
    ? "console.log(JSON.stringify(chunk.choices[0]?.delta));"
    : 'process.stdout.write(chunk.choices[0]?.delta?.content ?? "");';
  return `${openClient(call)}${commentOn(call, "A chat completion")}const ${streams ? "stream" : "completion"} = await ${callLiteral("client.chat.completions.create", body)}
${streams ? `for await (const chunk of stream) {\n  ${piece}\n}` : whole}`;
}

/** A response with the same library. */
export function openaiResponseSnippet(call: SnippetCall): string {
  const { body, streams } = call;
  const { tools } = body;
  const whole = tools
    ? "console.log(JSON.stringify(response.output, null, 2));"
    : "console.log(response.output_text);";
  const piece = tools
    ? 'if (event.type === "response.output_item.done") console.log(JSON.stringify(event.item));'
    : 'if (event.type === "response.output_text.delta") process.stdout.write(event.delta);';
  return `${openClient(call)}${commentOn(call, "The Responses API")}const ${streams ? "stream" : "response"} = await ${callLiteral("client.responses.create", body)}
${streams ? `for await (const event of stream) {\n  ${piece}\n}` : whole}`;
}

function openClient({ baseUrl }: SnippetCall): string {
  return `import OpenAI from "openai";

const client = new OpenAI({
  baseURL: ${JSON.stringify(baseUrl)},
  apiKey: process.env.GATEHOUSE_API_KEY,
});

`;
}

/** Parameters that OpenAI's library for Python knows by name. It refuses others, which go into `extra_body`. */
const shared =
  "model temperature top_p tools tool_choice parallel_tool_calls stream stream_options user top_logprobs metadata store service_tier".split(
    " ",
  );
const chatFields = new Set([
  ...shared,
  ..."messages n max_tokens max_completion_tokens stop seed presence_penalty frequency_penalty logit_bias logprobs reasoning_effort response_format".split(
    " ",
  ),
]);
const responseFields = new Set([
  ...shared,
  ..."input instructions max_output_tokens max_tool_calls reasoning text include truncation previous_response_id".split(
    " ",
  ),
]);

/** A chat completion with OpenAI's library for Python. */
export function openaiPythonSnippet(call: SnippetCall): string {
  const { body, streams } = call;
  const { tools } = body;
  const piece = tools
    ? "print(chunk.choices[0].delta)"
    : 'print(chunk.choices[0].delta.content or "", end="", flush=True)';
  return `${openPythonClient(call)}${commentOn(call, "A chat completion", "#")}${streams ? "stream" : "completion"} = client.chat.completions.create(
${pythonParameters(body, chatFields)})
${streams ? `for chunk in stream:\n    if chunk.choices:\n        ${piece}` : `print(completion.choices[0].message${tools ? "" : ".content"})`}`;
}

/** A response with the same library. */
export function pythonResponseSnippet(call: SnippetCall): string {
  const { body, streams } = call;
  const { tools } = body;
  const [type, piece] = tools
    ? ["response.output_item.done", "print(event.item)"]
    : ["response.output_text.delta", 'print(event.delta, end="", flush=True)'];
  return `${openPythonClient(call)}${commentOn(call, "The Responses API", "#")}${streams ? "stream" : "response"} = client.responses.create(
${pythonParameters(body, responseFields)})
${streams ? `for event in stream:\n    if event.type == "${type}":\n        ${piece}` : `print(response.${tools ? "output" : "output_text"})`}`;
}

function openPythonClient({ baseUrl }: SnippetCall): string {
  return `import os
from openai import OpenAI

client = OpenAI(
    base_url=${JSON.stringify(baseUrl)},
    api_key=os.environ["GATEHOUSE_API_KEY"],
)

`;
}

function pythonParameters(body: SnippetCall["body"], known: ReadonlySet<string>): string {
  const fields = Object.entries(body).filter(([name]) => known.has(name));
  const extraFields = Object.entries(body).filter(([name]) => !known.has(name));
  const allFields =
    extraFields.length > 0 ? [...fields, ["extra_body", Object.fromEntries(extraFields)] as const] : fields;
  return allFields.map(([name, value]) => `    ${name}=${toPython(value, "    ")},\n`).join("");
}
