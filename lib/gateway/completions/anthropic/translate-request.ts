import type { AnthropicRequest, Block, ImageSource, Tool, ToolChoice } from "./content-blocks";

type ChatMessage = Readonly<Record<string, unknown>>;

/** A Messages request as a chat completion request that means the same. */
export function translateRequest(request: AnthropicRequest): Record<string, unknown> {
  const { system, stop_sequences, tools, tool_choice, metadata, stream } = request;
  return {
    model: request.model,
    messages: [
      ...(system ? [{ role: "system", content: systemText(system) }] : []),
      ...request.messages.flatMap(({ role, content }) =>
        role === "user" ? userMessages(content) : [assistantMessage(content)],
      ),
    ],
    max_tokens: request.max_tokens,
    ...(stream && { stream, stream_options: { include_usage: true } }),
    ...(request.temperature !== undefined && { temperature: request.temperature }),
    ...(request.top_p !== undefined && { top_p: request.top_p }),
    ...(request.top_k !== undefined && { top_k: request.top_k }),
    ...(stop_sequences?.length && { stop: stop_sequences }),
    ...(metadata?.user_id && { user: metadata.user_id }),
    ...(tools?.length && { tools: tools.map(chatTool) }),
    ...(tool_choice && chatToolChoice(tool_choice)),
  };
}

function systemText(system: NonNullable<AnthropicRequest["system"]>): string {
  return typeof system === "string" ? system : system.map(({ text }) => text).join("\n\n");
}

/** Results of tools are messages of their own, and come before what the user says about them. */
function userMessages(content: string | Block[]): ChatMessage[] {
  if (typeof content === "string") return [{ role: "user", content }];
  const results = content.flatMap((block) => {
    if (block.type !== "tool_result") return [];
    return [{ role: "tool", tool_call_id: block.tool_use_id, content: resultContent(block.content) }];
  });
  const parts = content.flatMap(chatPart);
  return parts.length > 0 ? [...results, { role: "user", content: parts }] : results;
}

function resultContent(content: string | Block[] | undefined): string | ChatMessage[] {
  if (content === undefined || typeof content === "string") return content ?? "";
  return content.flatMap(chatPart);
}

function chatPart(block: Block): ChatMessage[] {
  if (block.type === "text") return [{ type: "text", text: block.text }];
  if (block.type === "image") return [{ type: "image_url", image_url: { url: imageUrl(block.source) } }];
  return [];
}

function imageUrl(source: ImageSource): string {
  return source.type === "url" ? source.url : `data:${source.media_type};base64,${source.data}`;
}

function assistantMessage(content: string | Block[]): ChatMessage {
  if (typeof content === "string") return { role: "assistant", content };
  const text = content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
  const calls = content.flatMap((block) => {
    if (block.type !== "tool_use") return [];
    const { id, name, input } = block;
    return [{ id, type: "function", function: { name, arguments: JSON.stringify(input ?? {}) } }];
  });
  if (calls.length === 0) return { role: "assistant", content: text };
  return { role: "assistant", content: text || null, tool_calls: calls };
}

function chatTool({ name, description, input_schema }: Tool) {
  return {
    type: "function",
    function: { name, ...(description && { description }), parameters: input_schema },
  };
}

function chatToolChoice({ type, name, disable_parallel_tool_use }: ToolChoice) {
  const choice =
    type === "any" ? "required" : type === "tool" ? { type: "function", function: { name } } : type;
  return { tool_choice: choice, ...(disable_parallel_tool_use && { parallel_tool_calls: false }) };
}
