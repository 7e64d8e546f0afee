import { readText, readThinking } from "@/lib/contract/calls/read-answer";
import { parseBounded } from "../../http/parse-bounded";
import { toAnthropicUsage, toMessageId, toStopReason } from "./message-parts";
import { readArguments } from "./tool-call-blocks";

export interface ChatCompletion {
  readonly model: string;
  readonly choices: readonly {
    readonly message?: null | {
      readonly content?: unknown;
      readonly refusal?: unknown;
      readonly reasoning_content?: unknown;
      readonly reasoning?: unknown;
      readonly tool_calls?: null | readonly { id: string; function: { name: string; arguments: unknown } }[];
    };
    readonly finish_reason: string | null;
  }[];
  readonly usage: unknown;
}

/** Facts about a reply that are not in the completion. */
export interface MessageReply {
  readonly requestId: string;
  readonly showsThinking: boolean;
}

/** Translates a chat completion to a Message. Of several choices it uses the first. */
export function translateReply(
  completion: ChatCompletion,
  { requestId, showsThinking }: MessageReply,
): object {
  const choice = completion.choices[0];
  const message = choice?.message ?? {};
  const { tool_calls, refusal } = message;
  const text = readText(message);
  const thinking = showsThinking && readThinking(message);
  return {
    id: toMessageId(requestId),
    type: "message",
    role: "assistant",
    model: completion.model,
    content: [
      ...(thinking ? [{ type: "thinking", thinking, signature: "" }] : []),
      ...(text ? [{ type: "text", text }] : []),
      ...(tool_calls ?? []).map(({ id, function: { name, arguments: json } }) => ({
        type: "tool_use",
        id,
        name,
        input: parseInput(readArguments(json)),
      })),
    ],
    stop_reason: refusal ? "refusal" : toStopReason(choice?.finish_reason, Boolean(tool_calls?.length)),
    stop_sequence: null,
    usage: toAnthropicUsage(completion.usage),
  };
}

/** Models write a tool's input as JSON text, sometimes invalid: such text becomes the field `input`. */
function parseInput(json: string): unknown {
  try {
    return parseBounded(json || "{}");
  } catch {
    return { input: json };
  }
}
