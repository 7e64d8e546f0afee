import { invalid } from "../../refusal";
import type { AnthropicRequest, Block, Tool, ToolChoice } from "./content-blocks";
import { toChatParts, translateResult } from "./translate-blocks";

type ChatMessage = Readonly<Record<string, unknown>>;

/** The largest thinking budgets that are translated to a low and to a medium effort. */
const LOW_BUDGET_TOKENS = 2_048;
const MEDIUM_BUDGET_TOKENS = 8_192;

/** A request to answer, or one to count tokens of. */
export type Conversation = Pick<AnthropicRequest, "model" | "messages" | "system" | "tools" | "thinking"> &
  Partial<AnthropicRequest>;

/**
 * Translates a Messages request to an equivalent chat completion request.
 * @throws Refusal 400 where the thinking budget exceeds the output limit.
 */
export function translateRequest(request: Conversation): Record<string, unknown> {
  const { system, stop_sequences, tools, tool_choice, metadata, stream, output_config } = request;
  const effort = output_config?.effort ?? chooseEffort(request);
  return {
    model: request.model,
    messages: [
      ...(system ? [{ role: "system", content: joinSystemText(system) }] : []),
      ...request.messages.flatMap(({ role, content }) =>
        role === "user" ? toUserMessages(content) : [toAssistantMessage(content)],
      ),
    ],
    ...(request.max_tokens !== undefined && { max_tokens: request.max_tokens }),
    ...(stream && { stream, stream_options: { include_usage: true } }),
    ...(typeof request.temperature === "number" && { temperature: request.temperature }),
    ...(request.top_p !== undefined && { top_p: request.top_p }),
    ...(request.top_k !== undefined && { top_k: request.top_k }),
    ...(stop_sequences?.length && { stop: stop_sequences }),
    ...(metadata?.user_id && { user: metadata.user_id }),
    ...(tools?.length && { tools: tools.map(toChatTool) }),
    ...(tool_choice && toChatToolChoice(tool_choice)),
    ...(output_config?.format && { response_format: toResponseFormat(output_config.format.schema) }),
    ...(effort && { reasoning_effort: effort }),
  };
}

function toResponseFormat(schema: object) {
  return { type: "json_schema", json_schema: { name: "output", schema, strict: true } };
}

function chooseEffort({ thinking, max_tokens }: Conversation): string | null {
  if (thinking?.type !== "enabled") return null;
  const { budget_tokens: budget } = thinking;
  if (max_tokens !== undefined && budget >= max_tokens) {
    const message = "thinking.budget_tokens must be less than max_tokens, of which it is a part.";
    throw invalid("thinking.budget_tokens", message);
  }
  return budget <= LOW_BUDGET_TOKENS ? "low" : budget <= MEDIUM_BUDGET_TOKENS ? "medium" : "high";
}

function joinSystemText(system: NonNullable<AnthropicRequest["system"]>): string {
  return typeof system === "string" ? system : system.map(({ text }) => text).join("\n\n");
}

/** Tool results become messages of their own, before their attachments and the user's text about them. */
function toUserMessages(content: string | Block[]): ChatMessage[] {
  if (typeof content === "string") return [{ role: "user", content }];
  const results = content.flatMap((block) => {
    if (block.type !== "tool_result") return [];
    return [{ id: block.tool_use_id, ...translateResult(block) }];
  });
  const said = results.map((result) => ({ role: "tool", tool_call_id: result.id, content: result.content }));
  const parts = [...results.flatMap(({ attachments }) => attachments), ...content.flatMap(toChatParts)];
  return parts.length > 0 ? [...said, { role: "user", content: parts }] : said;
}

function toAssistantMessage(content: string | Block[]): ChatMessage {
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

/** Chat completions have no field for examples of an input, so the description ends with them. */
function toChatTool({ name, input_schema, strict, ...tool }: Tool) {
  const examples = (tool.input_examples ?? []).map((input) => `Example input: ${JSON.stringify(input)}`);
  const description = [tool.description, ...examples].filter(Boolean).join("\n");
  const more = { ...(description && { description }), ...(typeof strict === "boolean" && { strict }) };
  return { type: "function", function: { name, ...more, parameters: input_schema } };
}

function toChatToolChoice({ type, name, disable_parallel_tool_use }: ToolChoice) {
  const choice =
    type === "any" ? "required" : type === "tool" ? { type: "function", function: { name } } : type;
  return { tool_choice: choice, ...(disable_parallel_tool_use && { parallel_tool_calls: false }) };
}
