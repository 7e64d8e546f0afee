import { parseJson } from "@/lib/contract/json-value";
import { toLiteral } from "./api-snippets";
import { commentOn, type SnippetCall } from "./snippet-call";

// Safe for the browser.

type Part = {
  type: string;
  text?: string;
  image_url?: { url: string };
  file?: { filename: string; file_data: string };
  input_audio?: { data: string; format: string };
};
type ChatMessage = {
  role: string;
  content: string | Part[] | null;
  tool_call_id?: string;
  tool_calls?: { id: string; function: { name: string; arguments: string } }[];
};
type ChatTool = {
  function: { name: string; description?: string; parameters?: object; strict?: boolean };
};

/** The AI SDK's own names; other fields are passed as its provider's options. */
const settingNames: Record<string, string> = {
  temperature: "temperature",
  top_p: "topP",
  max_tokens: "maxOutputTokens",
  stop: "stopSequences",
  seed: "seed",
  presence_penalty: "presencePenalty",
  frequency_penalty: "frequencyPenalty",
};

/** A chat completion as a call of Vercel's AI SDK. */
export function aiSdkSnippet(call: SnippetCall): string {
  const { baseUrl, body, streams } = call;
  const {
    model,
    messages,
    tools,
    stream: _,
    ...rest
  } = body as {
    model: string;
    messages: ChatMessage[];
    tools?: ChatTool[];
    stream?: boolean;
  };
  const system = messages[0]?.role === "system" ? messages[0].content : null;
  const conversation = system === null ? messages : messages.slice(1);
  const options = Object.entries(rest).map(([name, value]) => [
    settingNames[name],
    name === "stop" ? [value].flat() : value,
  ]);
  const extraFields = Object.entries(rest).filter(([name]) => !settingNames[name]);
  const fields = [
    `model: gatehouse(${JSON.stringify(model)})`,
    ...(system === null ? [] : [`system: ${JSON.stringify(system)}`]),
    `messages: ${indent(toLiteral(conversation.map((message) => writeMessage(message, conversation))))}`,
    ...options.filter(([name]) => name).map(([name, value]) => `${name}: ${indent(toLiteral(value))}`),
    ...(tools ? [`tools: {\n${tools.map(writeTool).join("")}  }`] : []),
    ...(extraFields.length > 0
      ? [`providerOptions: ${indent(toLiteral({ gatehouse: Object.fromEntries(extraFields) }))}`]
      : []),
  ];
  return `import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { ${streams ? "streamText" : "generateText"}${tools ? ", jsonSchema, tool" : ""} } from "ai";

const gatehouse = createOpenAICompatible({
  name: "gatehouse",
  baseURL: ${JSON.stringify(baseUrl)},
  apiKey: process.env.GATEHOUSE_API_KEY,
});

${commentOn(call, "A chat completion")}${streams ? "const { fullStream } = streamText" : `const { text${tools ? ", toolCalls" : ""} } = await generateText`}({
${fields.map((field) => `  ${field},\n`).join("")}});
${streams ? printPieces : `console.log(text${tools ? ", JSON.stringify(toolCalls, null, 2)" : ""});`}`;
}

/** A stream of the AI SDK doesn't throw: its errors are parts of it. */
const printPieces = `for await (const part of fullStream) {
  if (part.type === "text-delta") process.stdout.write(part.text);
  if (part.type === "tool-call") console.log(JSON.stringify(part));
  if (part.type === "error") throw part.error;
}`;

function indent(literal: string): string {
  return literal.replaceAll("\n", "\n  ");
}

function writeTool({ function: { name, description, parameters, strict } }: ChatTool): string {
  const schema = toLiteral(parameters ?? { type: "object", properties: {} }).replaceAll("\n", "\n      ");
  const definedFields = Object.entries({ description, strict }).filter(([, value]) => value !== undefined);
  const more = definedFields.map(([field, value]) => `      ${field}: ${JSON.stringify(value)},\n`).join("");
  return `    ${JSON.stringify(name)}: tool({\n${more}      inputSchema: jsonSchema(${schema}),\n    }),\n`;
}

function writeMessage({ role, content, tool_calls, tool_call_id }: ChatMessage, all: readonly ChatMessage[]) {
  if (role === "tool") {
    const calls = all.flatMap((message) => message.tool_calls ?? []);
    const toolName = calls.find(({ id }) => id === tool_call_id)?.function.name ?? "";
    const output = { type: "text", value: content };
    return { role, content: [{ type: "tool-result", toolCallId: tool_call_id, toolName, output }] };
  }
  if (tool_calls) {
    const words = typeof content === "string" ? [{ type: "text", text: content }] : [];
    const calls = tool_calls.map(({ id, function: { name, arguments: argumentText } }) => ({
      type: "tool-call",
      toolCallId: id,
      toolName: name,
      input: parseArguments(argumentText),
    }));
    return { role, content: [...words, ...calls] };
  }
  return { role, content: Array.isArray(content) ? content.map(writePart) : content };
}

function writePart({ type, text, image_url, file, input_audio }: Part): object {
  if (image_url) return { type: "image", image: image_url.url };
  if (input_audio) {
    const mediaType = input_audio.format === "wav" ? "audio/wav" : "audio/mpeg";
    return { type: "file", mediaType, data: input_audio.data };
  }
  if (!file) return { type, text };
  const [, mediaType, data] = /^data:([^;]+);base64,(.*)$/.exec(file.file_data) ?? [];
  return { type: "file", mediaType, filename: file.filename, data };
}

/** A model may write arguments that aren't JSON: they stay text. */
function parseArguments(text: string): unknown {
  const value = parseJson(text);
  return value === undefined ? text : value;
}
