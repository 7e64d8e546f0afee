import { isObject } from "@/lib/contract/json-value";
import { invalid } from "../../refusal";
import { boundCallId, type LeftOut } from "../anthropic/receiver-bounds";
import { RestoredParts, readCallId, readSeal } from "../anthropic/returned-parts";
import { type ChatPart, joinTexts, toChatParts, toContent } from "./item-parts";
import { type NamedTool, type RunType, toChatName } from "./read-response-tools";

type Fields = Readonly<Record<string, unknown>>;

/** For which server items are read. */
export interface ItemAims {
  /** Whether a server's thinking may be returned to the one that is called. */
  accepts(origin: string): boolean;
  /** Gets the servers whose thinking is in the items. */
  readonly origins: Set<string>;
  readonly leftOut: LeftOut;
  /** Whether calls carry what is sealed in their ids on, as a message gets it, or are told without it. */
  readonly keepsSealedIds: boolean;
  /** How many items of earlier turns precede those that the client sent. */
  readonly earlierItems: number;
  /** What a call gets that its server hasn't signed; absent for nothing. */
  readonly unsigned?: Fields;
}

interface ToolResult {
  readonly callId: string;
  readonly parts: readonly ChatPart[];
}

/** A message of the chat that items become, before calls and their results are paired. */
type ReadMessage =
  | { readonly role: "system" | "user"; readonly parts: readonly ChatPart[] }
  | AssistantTurn
  | ({ readonly role: "tool" } & ToolResult);

/** A call with the ids by which its result may name it. */
interface SentCall {
  readonly sentIds: readonly unknown[];
  readonly call: Fields & { readonly id: string };
}

interface AssistantTurn {
  readonly role: "assistant";
  text: string;
  readonly thinking: RestoredParts;
  readonly calls: SentCall[];
}

/** Items that are told by another one, or say nothing to a model. */
const silent = new Set(["tool_search_call", "tool_search_output", "additional_tools", "compaction_trigger"]);

/**
 * Reads the items of an input as the messages of a chat: what an assistant thought, said and called in one turn is one
 * message.
 * @throws Refusal 400 naming the item that can't be told.
 */
export function readItems(items: readonly unknown[], aims: ItemAims): ReadMessage[] {
  const messages: ReadMessage[] = [];
  const turn = (): AssistantTurn => {
    const last = messages.at(-1);
    if (last?.role === "assistant") return last;
    const begun: AssistantTurn = { role: "assistant", text: "", thinking: new RestoredParts(), calls: [] };
    messages.push(begun);
    return begun;
  };
  for (const [index, item] of items.entries()) {
    const at = `input.${index - aims.earlierItems}`;
    if (!isObject(item)) throw invalid(at, `${at} must be an item.`);
    const call = readCall(item, aims);
    const result = call ? null : readResult(item, at, aims);
    if (call) turn().calls.push(call);
    else if (result) messages.push({ role: "tool", ...result });
    else if (item.type === "reasoning") restoreThinking(item, turn().thinking, aims);
    else if (item.type === "message" || (item.type ?? null) === null) addMessage(item, at, aims);
    else if (item.type === "item_reference") throw unknownReference(item, at);
    else if (!silent.has(String(item.type))) aims.leftOut.add(`input.${String(item.type)}`);
  }
  return messages;

  function addMessage(item: Fields, at: string, { leftOut }: ItemAims): void {
    if (item.role === undefined && typeof item.id === "string") throw unknownReference(item, at);
    const parts = toChatParts(item.content, { at: `${at}.content`, leftOut });
    if (item.role !== "assistant") {
      messages.push({ role: readRole(item.role, at), parts });
      return;
    }
    const last = messages.at(-1);
    const isNext = last?.role === "assistant" && (last.text !== "" || last.calls.length > 0);
    if (isNext && last.calls.length === 0)
      messages.push({ role: "assistant", text: "", thinking: new RestoredParts(), calls: [] });
    const said = turn();
    said.text += joinTexts(parts, "");
  }
}

function unknownReference({ id }: Fields, at: string) {
  return invalid(at, `The item "${String(id).slice(0, 100)}" isn't kept here; send it whole.`);
}

/** Servers of other models don't know developers, and OpenAI's read a system's message as theirs. */
function readRole(role: unknown, at: string): "system" | "user" {
  if (role === "system" || role === "developer") return "system";
  if (role === "user") return role;
  const known = '"user", "assistant", "system" or "developer"';
  throw invalid(`${at}.role`, `${at}.role must be ${known}.`);
}

/** The types of items that call a tool, with what its function gets. */
const callTypes: Readonly<Record<string, { type: RunType; toArguments(item: Fields): unknown }>> = {
  function_call: { type: "function", toArguments: (item) => item.arguments },
  custom_tool_call: { type: "custom", toArguments: ({ input }) => ({ input }) },
  local_shell_call: { type: "local_shell", toArguments: ({ action }) => withoutType(action) },
  shell_call: { type: "shell", toArguments: ({ action }) => withoutType(action) },
  apply_patch_call: { type: "apply_patch", toArguments: ({ operation }) => operation },
};

function withoutType(action: unknown): unknown {
  if (!isObject(action)) return action;
  const { type: _, ...rest } = action;
  return Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null));
}

function readCall(item: Fields, aims: ItemAims): SentCall | null {
  const known = callTypes[String(item.type)];
  if (!known) return null;
  const { type } = known;
  const named: NamedTool = {
    type,
    name: String(item.name ?? ""),
    ...(typeof item.namespace === "string" && item.namespace && { namespace: item.namespace }),
  };
  const given = known.toArguments(item);
  const json = typeof given === "string" ? given || "{}" : JSON.stringify(given ?? {});
  const sentId = String(item.call_id ?? item.id ?? "");
  const { id, seal } = readCallId(sentId);
  if (seal) aims.origins.add(seal.origin);
  const fields = seal && aims.accepts(seal.origin) ? seal.fields : {};
  const { thinking_blocks: _, ...returned } = fields;
  const call = {
    ...aims.unsigned,
    ...returned,
    id: aims.keepsSealedIds && seal ? sentId : boundCallId(id),
    type: "function",
    function: { name: toChatName(named), arguments: json },
  };
  return { sentIds: [item.call_id, item.id], call };
}

function readResult(item: Fields, at: string, { leftOut }: ItemAims): ToolResult | null {
  const callId = String(item.call_id ?? item.id ?? "");
  switch (item.type) {
    case "function_call_output":
    case "custom_tool_call_output":
      return { callId, parts: toChatParts(item.output, { at: `${at}.output`, leftOut }) };
    case "local_shell_call_output":
    case "shell_call_output":
    case "apply_patch_call_output": {
      const { output, status } = item;
      const told = typeof output === "string" ? output : JSON.stringify(output ?? "");
      const failed = status === "failed" ? "The tool failed.\n" : "";
      return { callId, parts: [{ type: "text", text: failed + told }] };
    }
    default:
      return null;
  }
}

/** Thinking goes back to the server that gave it. That of others, and of other services, is left out. */
function restoreThinking(
  item: Fields,
  thinking: RestoredParts,
  { accepts, origins, leftOut }: ItemAims,
): void {
  const seal = readSeal(typeof item.encrypted_content === "string" ? item.encrypted_content : null);
  if (!seal) leftOut.add("input.reasoning");
  else {
    origins.add(seal.origin);
    if (accepts(seal.origin)) thinking.add(seal, readShown(item));
    else leftOut.add("input.reasoning");
  }
}

/** The thinking that a client was shown. */
function readShown({ content, summary }: Fields): string {
  const listed = [content, summary].flatMap((list) => (Array.isArray(list) ? list.filter(isObject) : []));
  return listed.map(({ text }) => (typeof text === "string" ? text : "")).join("");
}

/**
 * The messages of a chat, in which the calls of a turn are followed by their results, as receivers demand. A result
 * without its call is told as a text.
 * @param takesParts whether a tool's result may have pictures in it; otherwise they follow in a message of the user.
 */
export function toChatMessages(messages: readonly ReadMessage[], takesParts: boolean): Fields[] {
  const answered = new Set<ReadMessage>();
  return messages.flatMap((message, index): Fields[] => {
    switch (message.role) {
      case "assistant":
        return writeTurn(message, listResults(messages, index), { answered, takesParts });
      case "tool": {
        if (answered.has(message)) return [];
        const label = { type: "text", text: "The result of an earlier tool call:" };
        return [{ role: "user", content: toContent([label, ...message.parts]) }];
      }
      default: {
        const { role, parts } = message;
        return [{ role, content: role === "user" ? toContent(parts) : joinTexts(parts) }];
      }
    }
  });
}

/** The results that belong to the calls of a turn: those before the next one. */
function listResults(messages: readonly ReadMessage[], index: number) {
  const results: (ToolResult & { readonly role: "tool" })[] = [];
  for (let at = index + 1; at < messages.length; at++) {
    const message = messages[at];
    if (message?.role === "assistant") break;
    if (message?.role === "tool") results.push(message);
  }
  return results;
}

function writeTurn(
  { text, thinking, calls }: AssistantTurn,
  results: readonly (ToolResult & { readonly role: "tool" })[],
  { answered, takesParts }: { readonly answered: Set<unknown>; readonly takesParts: boolean },
): Fields[] {
  const { fields, thinkingContent } = thinking;
  const thought = { type: "thinking", thinking: [{ type: "text", text: thinkingContent }] };
  const said = thinkingContent ? [thought, ...(text ? [{ type: "text", text }] : [])] : text;
  if (calls.length === 0) {
    const saysNothing = said === "" && Object.keys(fields).length === 0;
    return saysNothing ? [] : [{ role: "assistant", content: said, ...fields }];
  }
  const attachments: ChatPart[] = [];
  const replies = calls.map(({ sentIds, call: { id } }) => {
    const result = results.find((one) => sentIds.includes(one.callId) && !answered.has(one));
    if (!result) return { role: "tool", tool_call_id: id, content: "The tool gave no result." };
    answered.add(result);
    const { parts } = result;
    const isText = parts.every(({ type }) => type === "text");
    if (isText || takesParts)
      return { role: "tool", tool_call_id: id, content: isText ? joinTexts(parts, "\n") : parts };
    attachments.push({ type: "text", text: `Attachments of the tool result ${id}:` });
    attachments.push(...parts.filter(({ type }) => type !== "text"));
    const told = [joinTexts(parts, "\n"), "See the attachments in the next message."].filter(Boolean);
    return { role: "tool", tool_call_id: id, content: told.join("\n") };
  });
  const attached = attachments.length > 0 ? [{ role: "user", content: attachments }] : [];
  const tool_calls = calls.map(({ call }) => call);
  return [{ role: "assistant", content: said || null, ...fields, tool_calls }, ...replies, ...attached];
}
