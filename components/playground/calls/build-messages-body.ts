import { parseJson } from "@/lib/contract/json-value";
import type { Attachment, Message } from "../messages/message";
import {
  parseFurtherParameters,
  parseStopSequences,
  parseTools,
  pickNumbers,
  type Settings,
} from "../settings";
import { fileText, orderParts } from "./message-parts";

/** Anthropic's API requires a limit. Its examples use this value. */
const MAX_TOKENS = 1024;

/**
 * Returns the same call for the Messages API, which has a separate system prompt and different names for parts and
 * tools.
 */
export function buildMessagesBody(model: string, settings: Settings, messages: readonly Message[]): object {
  const { temperature, top_p, max_tokens = MAX_TOKENS } = pickNumbers(settings);
  const stop = parseStopSequences(settings);
  const tools = parseTools(settings).map(({ function: { name, description, parameters } }) => ({
    name,
    ...(description !== undefined && { description }),
    input_schema: parameters ?? { type: "object", properties: {} },
  }));
  return {
    model,
    max_tokens,
    ...(settings.instruction.trim() !== "" && { system: settings.instruction }),
    messages: inTurns(messages),
    ...(temperature !== undefined && { temperature }),
    ...(top_p !== undefined && { top_p }),
    ...(stop.length > 0 && { stop_sequences: stop }),
    ...(tools.length > 0 && { tools }),
    ...buildOutput(settings),
    ...parseFurtherParameters(settings),
  };
}

/** The Messages API has no JSON without a schema. */
function buildOutput(settings: Settings): object {
  const effort = readMessagesEffort(settings);
  const hasSchema = settings.format === "schema";
  if (!hasSchema && effort === null) return {};
  return {
    output_config: {
      ...(effort !== null && { effort }),
      ...(hasSchema && { format: { type: "json_schema", schema: parseJson(settings.schema) } }),
    },
  };
}

/** Returns null if no effort is set, or one that only chat completions have. */
export function readMessagesEffort({ reasoning_effort: effort }: Settings) {
  return effort === "low" || effort === "medium" || effort === "high" ? effort : null;
}

/** Groups tool results, and what the person wrote after them, into one user message per turn. */
function inTurns(messages: readonly Message[]): object[] {
  const turns: { role: string; content: string | object[] }[] = [];
  for (const [at, message] of messages.entries()) {
    const last = turns.at(-1);
    const followsResult = message.role === "user" && messages[at - 1]?.role === "tool";
    if (message.role !== "tool" && !followsResult) {
      turns.push({ role: message.role, content: buildContent(message) });
      continue;
    }
    const parts =
      message.role === "tool"
        ? [{ type: "tool_result", tool_use_id: message.toolCallId, content: message.text }]
        : buildParts(message);
    if (last?.role === "user" && Array.isArray(last.content)) last.content.push(...parts);
    else turns.push({ role: "user", content: parts });
  }
  return turns;
}

function buildContent(message: Message): string | object[] {
  const { text, attachments = [], toolCalls = [] } = message;
  return attachments.length + toolCalls.length === 0 ? text : buildParts(message);
}

function buildParts(message: Message): object[] {
  const { attachments = [], toolCalls = [] } = message;
  const uses = toolCalls.map(({ id, name, arguments: given }) => ({
    type: "tool_use",
    id,
    name,
    input: parseJson(given) ?? {},
  }));
  return [...orderParts(message, attachments.map(buildPart)), ...uses];
}

function buildPart(attachment: Attachment): object {
  const { mimeType, data, kind } = attachment;
  if (kind === "text") return { type: "text", text: fileText(attachment) };
  const source = { type: "base64", media_type: mimeType, data };
  return { type: kind === "image" ? "image" : "document", source };
}
