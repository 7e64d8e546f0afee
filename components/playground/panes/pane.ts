import { createRandomId } from "@/components/queries/actions/create-random-id";
import type { MediaOptions } from "../media/media-fields";
import { isRunning, type Message, runningTask } from "../messages/message";
import type { Settings } from "../settings";

/** One model and the conversation with it. */
export interface Pane {
  readonly id: string;
  readonly model: string;
  /** The pane's share of the total width. */
  readonly width: number;
  /** Settings of this pane alone; null if it uses the shared ones. */
  readonly own: Settings | null;
  readonly messages: readonly Message[];
  /** What a model that isn't a chat model is asked besides the message, as typed, by the names of the API. */
  readonly options?: MediaOptions | undefined;
}

export function newLocalId(): string {
  return createRandomId(2);
}

export function newPane(model: string): Pane {
  return { id: newLocalId(), model, width: 1, own: null, messages: [] };
}

export function isPaneRunning({ messages }: Pane): boolean {
  return isRunning(messages.at(-1)?.call);
}

/** Returns whether a pane has a running call that ends when the page is left. */
export function endsWithPage(pane: Pane): boolean {
  const last = pane.messages.at(-1);
  return isPaneRunning(pane) && last?.call?.keptAs === undefined && !(last && runningTask(last));
}

/** Returns whether a pane has a running call that continues when the page is left. */
export function outlivesPage(pane: Pane): boolean {
  return isPaneRunning(pane) && !endsWithPage(pane);
}

export function withMessage(pane: Pane, id: string, change: (message: Message) => Message): Pane {
  return {
    ...pane,
    messages: pane.messages.map((message) => (message.id === id ? change(message) : message)),
  };
}

export function withoutMessage(pane: Pane, id: string): Pane {
  return { ...pane, messages: pane.messages.filter((message) => message.id !== id) };
}

/** Adds the reply to a tool call behind the call's other replies: providers refuse one that follows another message. */
export function withToolReply(pane: Pane, toolCallId: string, text: string): Pane {
  const { messages } = pane;
  const at = messages.findLastIndex(({ toolCalls = [] }) => toolCalls.some(({ id }) => id === toolCallId));
  const behind = messages.findIndex(({ role }, index) => index > at && role !== "tool");
  const reply: Message = { id: newLocalId(), role: "tool", toolCallId, text };
  return { ...pane, messages: messages.toSpliced(behind < 0 ? messages.length : behind, 0, reply) };
}

/** Adds a message below the given one; it is written by the person, whatever its role. */
export function insertBelow(pane: Pane, id: string, role: "user" | "assistant"): Pane {
  const at = pane.messages.findIndex((message) => message.id === id);
  return { ...pane, messages: pane.messages.toSpliced(at + 1, 0, { id: newLocalId(), role, text: "" }) };
}

/** Moves a message up or down by one. Has no effect at the ends of the list. */
export function moveMessage(pane: Pane, id: string, by: -1 | 1): Pane {
  const from = pane.messages.findIndex((message) => message.id === id);
  const to = from + by;
  const moved = pane.messages[from];
  const other = pane.messages[to];
  if (!moved || !other) return pane;
  const messages = pane.messages.with(from, other).with(to, moved);
  return { ...pane, messages };
}

/** Cuts the conversation for a new answer: before the given message if it is the model's, else after it. */
export function cutForAnswer(pane: Pane, id: string): Pane {
  const at = pane.messages.findIndex((message) => message.id === id);
  if (at < 0) return pane;
  const end = pane.messages[at]?.role === "assistant" ? at : at + 1;
  const messages = pane.messages.slice(0, end);
  // A message to be answered gets the present values; answered ones stay as they were sent.
  const answered = messages.findLastIndex(({ call }) => call !== undefined);
  return {
    ...pane,
    messages: messages.map(({ values, ...message }, index) =>
      values && index <= answered ? { ...message, values } : message,
    ),
  };
}

/** Returns the answer of a pane that is asked for again: its last one; undefined if there is none. */
export function findRepeatable({ messages }: Pane): Message | undefined {
  return messages.findLast(({ call }) => call !== undefined);
}

/** Returns whether a pane refused the given text as its last message. */
export function refusesText(pane: Pane, text: string): boolean {
  const prompt = pane.messages.at(-2);
  return isRefused(pane) && prompt?.role === "user" && prompt.text === text;
}

function isRefused({ messages }: Pane): boolean {
  return messages.at(-1)?.call?.state === "refused";
}

/**
 * Returns true if a model can answer without a new message: the last one is from a user or a tool, or was written by
 * hand.
 */
export function answersNext({ messages }: Pane): boolean {
  const last = messages.at(-1);
  return last !== undefined && !last.call;
}

/** Returns whether a pane's messages were all written by hand, so that another model can be asked the same. */
export function isWritten({ messages }: Pane): boolean {
  return messages.length > 0 && messages.every(({ call }) => !call);
}

/** Returns the text of the pane's last answer with text; an empty string if there is none. */
export function findLastAnswer({ messages }: Pane): string {
  return messages.findLast(({ role, text }) => role === "assistant" && text !== "")?.text ?? "";
}
