import { isObject, parseJson } from "@/lib/contract/json-value";
import { listOpenToolCalls, type Message } from "../messages/message";
import { newLocalId, type Pane } from "../panes/pane";
import type { Settings } from "../settings";

/** The fixed replies to the tool calls of a pane's last answer; null if it has no open call or there are no replies. */
export function fixedReplies(
  { messages }: Pane,
  settings: Settings,
): { readonly messages: readonly Message[]; readonly areAll: boolean } | null {
  if (messages.at(-1)?.call?.state !== "finished") return null;
  const open = listOpenToolCalls(messages);
  const replies = parseJson(settings.replies);
  if (open.length === 0 || !isObject(replies)) return null;
  const known = open.filter(({ name }) => Object.hasOwn(replies, name));
  const answers = known.map(({ id, name }): Message => {
    const reply = replies[name];
    const text = typeof reply === "string" ? reply : JSON.stringify(reply);
    return { id: newLocalId(), role: "tool", toolCallId: id, text };
  });
  return { messages: answers, areAll: known.length === open.length };
}
