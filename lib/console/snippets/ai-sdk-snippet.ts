import { parseJson } from "@/lib/contract/json-value";
import { commentOn, type SnippetCall, toLiteral } from "./api-snippets";

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
  const { messages, model, tools, stream: _, ...rest } = call.body;
  const [system, conversation] = splitSystem(messages as ChatMessage[]);
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
    ...writeTools(tools),
    ...(extraFields.length > 0
      ? [`providerOptions: ${indent(toLiteral({ gatehouse: Object.fromEntries(extraFields) }))}`]
      : []),
  ];
  const provider = `import { createOpenAICompatible } from "@ai-sdk/openai-compatible";`;
  const client = `const gatehouse = createOpenAICompatible({
  name: "gatehouse",
  baseURL: ${JSON.stringify(call.baseUrl)},
  apiKey: process.env.GATEHOUSE_API_KEY,
});`;
  return writeProgram(call, { provider, client, api: "A chat completion", fields });
}

/** The names that the AI SDK's provider of responses has for other fields. */
const responseOptions: Record<string, string> = {
  instructions: "instructions",
  store: "store",
  include: "include",
  metadata: "metadata",
  user: "user",
  truncation: "truncation",
  max_tool_calls: "maxToolCalls",
  parallel_tool_calls: "parallelToolCalls",
  previous_response_id: "previousResponseId",
  prompt_cache_key: "promptCacheKey",
  safety_identifier: "safetyIdentifier",
  service_tier: "serviceTier",
};

/** A response as a call of the AI SDK. @param chat the same call as a chat completion. */
export function aiSdkResponseSnippet(call: SnippetCall, chat: SnippetCall["body"]): string {
  const { model, input: _, stream: __, tools, text, reasoning, ...rest } = call.body;
  const [, conversation] = splitSystem(chat.messages as ChatMessage[]);
  const { temperature, top_p: topP, max_output_tokens: maxOutputTokens, ...others } = rest;
  const { format, verbosity } = (text ?? {}) as { format?: ResponseFormat; verbosity?: string };
  const { effort, summary } = (reasoning ?? {}) as { effort?: string; summary?: string };
  const listed = Array.isArray(tools) ? tools : [];
  const functions = listed.filter((tool) => tool?.type === "function");
  const named = Object.entries(others).filter(([name]) => responseOptions[name]);
  const options = {
    ...Object.fromEntries(named.map(([name, value]) => [responseOptions[name], value])),
    // Otherwise the SDK tells by the model's name whether it reasons.
    ...(reasoning !== undefined && { forceReasoning: true }),
    ...(effort !== undefined && { reasoningEffort: effort }),
    ...(summary !== undefined && { reasoningSummary: summary }),
    ...(verbosity !== undefined && { textVerbosity: verbosity }),
  };
  // The SDK leaves out what models that reason refuse.
  const sampling = reasoning === undefined ? { temperature, topP } : {};
  const settings = Object.entries({ ...sampling, maxOutputTokens });
  const fields = [
    `model: gatehouse(${JSON.stringify(model)})`,
    `messages: ${indent(toLiteral(conversation.map((message) => writeMessage(message, conversation))))}`,
    ...settings.filter(([, value]) => value !== undefined).map(([name, value]) => `${name}: ${value}`),
    ...writeTools(functions.map((tool) => ({ function: tool }))),
    ...writeOutput(format),
    `providerOptions: ${indent(toLiteral({ openai: options }))}`,
  ];
  const hasHosted = functions.length < listed.length;
  const left = reasoning === undefined ? others : { ...others, temperature, top_p: topP };
  const unnamed = Object.entries(left).flatMap(([name, value]) =>
    responseOptions[name] || value === undefined ? [] : [name],
  );
  const lacks = [...call.lacks, ...unnamed, ...(hasHosted ? ["tools that aren't functions"] : [])];
  const provider = `import { createOpenAI } from "@ai-sdk/openai";`;
  const client = `const gatehouse = createOpenAI({
  baseURL: ${JSON.stringify(call.baseUrl)},
  apiKey: process.env.GATEHOUSE_API_KEY,
});`;
  return writeProgram({ ...call, lacks }, { provider, client, api: "This call of the AI SDK", fields });
}

interface ResponseFormat {
  readonly type: string;
  readonly name?: string;
  readonly schema?: object;
}

function writeOutput(format: ResponseFormat | undefined): string[] {
  if (!format) return [];
  if (!format.schema) return ["output: Output.json()"];
  const name = JSON.stringify(format.name);
  return [
    `output: Output.object({ name: ${name}, schema: jsonSchema(${indent(toLiteral(format.schema))}) })`,
  ];
}

interface Program {
  readonly provider: string;
  readonly client: string;
  readonly api: string;
  readonly fields: readonly string[];
}

function writeProgram(call: SnippetCall, { provider, client, api, fields }: Program): string {
  const { streams } = call;
  const hasTools = fields.some((field) => field.startsWith("tools: "));
  const written = fields.join("\n");
  const helpers = ["Output.", "jsonSchema(", "tool("].filter((helper) => written.includes(helper));
  const names = [
    streams ? "streamText" : "generateText",
    ...helpers.map((name) => name.slice(0, -1)),
  ].toSorted();
  return `${provider}
import { ${names.join(", ")} } from "ai";

${client}

${commentOn(call, api)}${streams ? "const { fullStream } = streamText" : `const { text${hasTools ? ", toolCalls" : ""} } = await generateText`}({
${fields.map((field) => `  ${field},\n`).join("")}});
${streams ? printPieces : `console.log(text${hasTools ? ", JSON.stringify(toolCalls, null, 2)" : ""});`}`;
}

function splitSystem(messages: readonly ChatMessage[]) {
  const [first, ...others] = messages;
  return first?.role === "system" ? ([first.content, others] as const) : ([null, messages] as const);
}

function writeTools(tools: unknown): string[] {
  return Array.isArray(tools) && tools.length > 0
    ? [`tools: {\n${(tools as ChatTool[]).map(writeTool).join("")}  }`]
    : [];
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
