import { readText, readThinking } from "@/lib/contract/calls/read-answer";
import { parseBounded } from "../../http/json";
import { type ChoiceEnd, describeStop, toAnthropicUsage, toCallId, toMessageId } from "./message-parts";
import { takeFreeId } from "./receiver-bounds";
import { ReturnedParts, sealCallId } from "./returned-parts";
import { readArguments } from "./tool-call-blocks";
import type { MessageFacts } from "./translate-request";

export interface ChatCompletion {
  readonly service_tier?: unknown;
  readonly choices: readonly (ChoiceEnd & {
    readonly message?: null | {
      readonly content?: unknown;
      readonly refusal?: unknown;
      readonly reasoning_content?: unknown;
      readonly reasoning?: unknown;
      readonly tool_calls?: null | readonly { id: string; function: { name: string; arguments: unknown } }[];
    };
    readonly finish_reason: string | null;
  })[];
  readonly usage: unknown;
}

/** Facts about a reply that are not in the completion. */
export interface MessageReply extends MessageFacts {
  readonly requestId: string;
  /** The name of the model that was asked for. */
  readonly model: string;
  /** The server that gives it, as seals name it. */
  readonly origin: string;
}

/** Translates a chat completion to a Message. Of several choices it uses the first. */
export function translateReply(completion: ChatCompletion, reply: MessageReply): object {
  const { requestId, model, origin, toolNames, stops } = reply;
  const choice = completion.choices[0];
  const message = choice?.message ?? {};
  const { tool_calls, refusal } = message;
  const text = readText(message);
  const thinking = createThinkingBlock(message, reply);
  const usedIds = new Set(reply.callIds);
  const nameCall = (id: string, position: number) =>
    takeFreeId(id || `${toCallId(requestId)}_${position + 1}`, usedIds);
  return {
    id: toMessageId(requestId),
    type: "message",
    role: "assistant",
    model,
    content: [
      ...(thinking ? [thinking] : []),
      ...(text ? [{ type: "text", text }] : []),
      ...(tool_calls ?? []).map((call, position) => ({
        type: "tool_use",
        id: sealCallId(nameCall(call.id, position), call, origin),
        name: toolNames[call.function.name] ?? call.function.name,
        input: parseInput(readArguments(call.function.arguments)),
      })),
    ],
    ...describeStop(choice ?? {}, {
      stops,
      callsTools: Boolean(tool_calls?.length),
      isRefused: Boolean(refusal),
    }),
    usage: toAnthropicUsage(completion.usage, completion.service_tier),
  };
}

/** The thinking before the answer, with the seal of what its provider wants again; null where there is none. */
function createThinkingBlock(
  message: object,
  { thinking: view, hasTools, origin }: MessageReply,
): object | null {
  const parts = new ReturnedParts(origin, view !== "shown");
  parts.note(message);
  if (parts.isEmpty || (view === "off" && !hasTools)) return null;
  const seal = parts.take();
  const thinking = view === "shown" ? readThinking(message) : "";
  return thinking || view === "omitted"
    ? { type: "thinking", thinking, signature: seal }
    : { type: "redacted_thinking", data: seal };
}

/** Models write a tool's input as JSON text, sometimes invalid: such text becomes the field `input`. */
function parseInput(json: string): unknown {
  try {
    return parseBounded(json || "{}");
  } catch {
    return { input: json };
  }
}
