import { toLiteral } from "./api-snippets";

type Part = {
  type: string;
  text?: string;
  image_url?: { url: string };
  file?: { filename: string; file_data: string };
};
type ChatMessage = {
  role: string;
  content: string | Part[] | null;
  tool_call_id?: string;
  tool_calls?: { id: string; function: { name: string; arguments: string } }[];
};
type ChatTool = { function: { name: string; description?: string; parameters?: object } };

/** The AI SDK's own names; other fields are passed as its provider's options. */
const named: Record<string, string> = {
  temperature: "temperature",
  top_p: "topP",
  max_tokens: "maxOutputTokens",
  stop: "stopSequences",
  seed: "seed",
  presence_penalty: "presencePenalty",
  frequency_penalty: "frequencyPenalty",
};

/** A chat completion's body as a call of Vercel's AI SDK. */
export function aiSdkSnippet(baseUrl: string, chat: object): string {
  const { model, messages, tools, ...rest } = chat as {
    model: string;
    messages: ChatMessage[];
    tools?: ChatTool[];
  };
  const system = messages[0]?.role === "system" ? messages[0].content : null;
  const conversation = system === null ? messages : messages.slice(1);
  const options = Object.entries(rest).map(([name, value]) => [named[name], value]);
  const further = Object.entries(rest).filter(([name]) => !named[name]);
  const fields = [
    `model: gatehouse(${JSON.stringify(model)})`,
    ...(system === null ? [] : [`system: ${JSON.stringify(system)}`]),
    `messages: ${indented(toLiteral(conversation.map((message) => modelMessage(message, conversation))))}`,
    ...options.filter(([name]) => name).map(([name, value]) => `${name}: ${indented(toLiteral(value))}`),
    ...(tools ? [`tools: {\n${tools.map(toolLiteral).join("")}  }`] : []),
    ...(further.length > 0
      ? [`providerOptions: ${indented(toLiteral({ gatehouse: Object.fromEntries(further) }))}`]
      : []),
  ];
  return `import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText${tools ? ", jsonSchema, tool" : ""} } from "ai";

const gatehouse = createOpenAICompatible({
  name: "gatehouse",
  baseURL: ${JSON.stringify(baseUrl)},
  apiKey: process.env.GATEHOUSE_API_KEY,
});

const { text } = await generateText({
${fields.map((field) => `  ${field},\n`).join("")}});
console.log(text);`;
}

function indented(literal: string): string {
  return literal.replaceAll("\n", "\n  ");
}

function toolLiteral({ function: { name, description, parameters } }: ChatTool): string {
  const schema = toLiteral(parameters ?? { type: "object", properties: {} }).replaceAll("\n", "\n      ");
  const words = description === undefined ? "" : `      description: ${JSON.stringify(description)},\n`;
  return `    ${JSON.stringify(name)}: tool({\n${words}      inputSchema: jsonSchema(${schema}),\n    }),\n`;
}

function modelMessage({ role, content, tool_calls, tool_call_id }: ChatMessage, all: readonly ChatMessage[]) {
  if (role === "tool") {
    const calls = all.flatMap((message) => message.tool_calls ?? []);
    const toolName = calls.find(({ id }) => id === tool_call_id)?.function.name ?? "";
    const output = { type: "text", value: content };
    return { role, content: [{ type: "tool-result", toolCallId: tool_call_id, toolName, output }] };
  }
  if (tool_calls) {
    const words = typeof content === "string" ? [{ type: "text", text: content }] : [];
    const calls = tool_calls.map(({ id, function: { name, arguments: given } }) => ({
      type: "tool-call",
      toolCallId: id,
      toolName: name,
      input: parsed(given),
    }));
    return { role, content: [...words, ...calls] };
  }
  return { role, content: Array.isArray(content) ? content.map(modelPart) : content };
}

function modelPart({ type, text, image_url, file }: Part): object {
  if (image_url) return { type: "image", image: image_url.url };
  if (!file) return { type, text };
  const [, mediaType, data] = /^data:([^;]+);base64,(.*)$/.exec(file.file_data) ?? [];
  return { type: "file", mediaType, filename: file.filename, data };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}
