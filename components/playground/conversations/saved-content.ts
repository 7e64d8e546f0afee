import { cutText, isVisible, removeControls } from "@/lib/contract/plain-text";
import { isRunning, type Message, resetAnswer, runningTask, type ToolCall } from "../messages/message";
import type { Workbench } from "../workbench";

/** The format's number in saved content. `restoreWorkbench` reads every field that is saved here. */
export const FORMAT = 1;
/** The length of the content as JSON. The gateway accepts 2 MiB for a whole conversation, title and ids included. */
export const MAX_CONTENT_BYTES = 1_900_000;
const MAX_TITLE_LENGTH = 80;

/**
 * Returns the content to save, as a `StoredWorkbench`: the workbench without requests and raw replies; null if it is
 * too large.
 */
export function toContent(workbench: Workbench): Record<string, unknown> | null {
  const content = { format: FORMAT, ...toSaved(workbench) };
  return new Blob([JSON.stringify(content)]).size > MAX_CONTENT_BYTES ? null : content;
}

/**
 * Omits what the gateway stores, so that it isn't saved again with every token, and recordings that are too large. Of a
 * call's problem, only the message is saved.
 */
function toSaved({ keepsRunning, ...workbench }: Workbench) {
  return {
    ...workbench,
    ...(keepsRunning !== undefined && { goesOn: keepsRunning }),
    panes: workbench.panes.map((one) => ({ ...one, messages: one.messages.map(toSavedMessage) })),
  };
}

function toSavedMessage(one: Message) {
  const isKept = one.call?.keptAs && isRunning(one.call);
  const { call, toolCalls, ...message } = withoutLargeAudio(isKept ? resetAnswer(one) : withoutProgress(one));
  return {
    ...message,
    ...(toolCalls && { toolCalls: toolCalls.map(toSavedToolCall) }),
    ...(call && {
      run: {
        ...call,
        request: null,
        reply: null,
        problem: call.problem && { message: call.problem.message },
      },
    }),
  };
}

function toSavedToolCall({ id, name, arguments: json }: ToolCall) {
  return { id, name, arguments: json };
}

/** A task's progress is read again, so that it isn't an edit. */
function withoutProgress(one: Message): Message {
  const running = runningTask(one);
  if (!running) return one;
  const begun = { ...running, status: "queued" as const, progress: null, started_at: null };
  return { ...one, output: { kind: "task", task: { ...begun, cancel_requested: false } } };
}

/** Base64 characters. Other recordings and spoken texts are lost with the page. */
const MAX_AUDIO_LENGTH = 400_000;

/** Replaces audio that is too large to be saved by nothing. Its name, size, cost and receipt stay. */
export function withoutLargeAudio(one: Message): Message {
  const { output: made, attachments } = one;
  const isLarge = made?.kind === "speech" && made.data.length > MAX_AUDIO_LENGTH;
  const hasLarge = attachments?.some(({ kind, data }) => kind === "audio" && data.length > MAX_AUDIO_LENGTH);
  if (!isLarge && !hasLarge) return one;
  return {
    ...one,
    ...(isLarge && { output: { ...made, data: "" } }),
    ...(attachments && {
      attachments: attachments.map((file) =>
        file.kind === "audio" && file.data.length > MAX_AUDIO_LENGTH ? { ...file, data: "" } : file,
      ),
    }),
  };
}

/**
 * Returns a hash of the content. Costs and times are left out: looking them up isn't an edit, and a tab that only
 * follows an answer measures no times.
 */
export function hashContent(workbench: Workbench): string {
  const unmeasured = { charge: null, firstWordMs: null, totalMs: null };
  const saved = toSaved(workbench);
  const panes = saved.panes.map((one) => ({
    ...one,
    messages: one.messages.map(({ run, ...message }) => ({
      ...message,
      run: run && { ...run, ...unmeasured },
    })),
  }));
  return hashText(JSON.stringify({ ...saved, panes }, withSortedKeys));
}

/** Restored content has its keys in another order. */
function withSortedKeys(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** cyrb53: 53 bits, so that two versions of a conversation don't collide in practice. */
function hashText(words: string): string {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let at = 0; at < words.length; at++) {
    const code = words.charCodeAt(at);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return (4294967296 * (2097151 & low) + (high >>> 0)).toString(36);
}

/** Returns true if the workbench has no content worth saving. */
export function isBlank({ panes, draft }: Workbench): boolean {
  return draft.trim() === "" && panes.every(({ messages }) => messages.length === 0);
}

/** Derives a title that the gateway accepts from the first text, or from the draft. */
export function toTitle({ panes, draft }: Workbench): string {
  const first =
    panes.flatMap(({ messages }) => messages).find((one) => one.text.trim() !== "")?.text ?? draft;
  const line = removeControls(first.trimStart().slice(0, MAX_TITLE_LENGTH * 10)).replace(/\s+/g, " ");
  const title = cutText(line.trim(), MAX_TITLE_LENGTH).trim();
  return isVisible(title) ? title : "Untitled conversation";
}
