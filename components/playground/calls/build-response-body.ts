import { parseJson } from "@/lib/contract/json-value";
import type { Attachment, Message } from "../messages/message";
import { parseFurtherParameters, parseTools, pickNumbers, type Settings } from "../settings";
import { audioFormat, fileText, orderParts } from "./message-parts";

/**
 * Returns the same call for the Responses API, whose conversation is a list of items: messages, calls of tools and
 * their outputs. It names the whole conversation each time, so nothing of it needs to be stored.
 */
export function buildResponseBody(model: string, settings: Settings, messages: readonly Message[]): object {
  const { temperature, top_p, max_tokens } = pickNumbers(settings);
  const tools = parseTools(settings).map(({ function: { name, description, parameters, strict } }) => ({
    type: "function",
    name,
    ...(description !== undefined && { description }),
    parameters: parameters ?? { type: "object", properties: {} },
    // The API takes a function for a strict one where nothing is said, other than chat completions.
    strict: strict === true,
  }));
  return {
    model,
    ...(settings.instruction.trim() !== "" && { instructions: settings.instruction }),
    input: messages.flatMap(toItems),
    ...(temperature !== undefined && { temperature }),
    ...(top_p !== undefined && { top_p }),
    ...(max_tokens !== undefined && { max_output_tokens: max_tokens }),
    ...buildReasoning(settings),
    ...(settings.reasoning_effort !== "none" && asksForReasoning(settings) && { include: [SEALED] }),
    ...buildFormat(settings),
    ...(tools.length > 0 && { tools }),
    store: false,
    ...parseFurtherParameters(settings),
  };
}

/** Nothing is kept, so that the reasoning comes sealed, and is sent back. Models that don't reason refuse to. */
const SEALED = "reasoning.encrypted_content";

function asksForReasoning({ reasoning_effort: effort, reasoning_summary: summary }: Settings): boolean {
  return effort !== "" || summary !== "";
}

function buildReasoning(settings: Settings): object {
  const { reasoning_effort: effort, reasoning_summary: summary } = settings;
  if (!asksForReasoning(settings)) return {};
  return { reasoning: { ...(effort !== "" && { effort }), ...(summary !== "" && { summary }) } };
}

function buildFormat({ format, schema }: Settings): object {
  if (format === "text") return {};
  if (format === "json") return { text: { format: { type: "json_object" } } };
  return {
    text: { format: { type: "json_schema", name: "answer", strict: true, schema: parseJson(schema) } },
  };
}

function toItems(message: Message): object[] {
  const { role, text, attachments = [], toolCalls = [], toolCallId, items = [] } = message;
  if (role === "tool") return [{ type: "function_call_output", call_id: toolCallId, output: text }];
  const calls = toolCalls.map(({ id, name, arguments: given }) => ({
    type: "function_call",
    call_id: id,
    name,
    arguments: given,
  }));
  if (attachments.length > 0)
    return [{ role, content: orderParts(message, attachments.map(toPart), "input_text") }, ...calls];
  // Reasoning comes before what it led to, and never alone.
  const thoughts = text === "" && calls.length === 0 ? [] : items.filter(({ type }) => type === "reasoning");
  return [...thoughts, ...(text === "" && calls.length > 0 ? [] : [{ role, content: text }]), ...calls];
}

function toPart(attachment: Attachment): object {
  const { name, mimeType, data, kind, detail = "auto" } = attachment;
  if (kind === "text") return { type: "input_text", text: fileText(attachment) };
  if (kind === "audio")
    return { type: "input_audio", input_audio: { data, format: audioFormat(attachment) } };
  const url = `data:${mimeType};base64,${data}`;
  return kind === "image"
    ? { type: "input_image", image_url: url, detail }
    : { type: "input_file", filename: name, file_data: url };
}
