import { findMessageFault } from "@/components/playground/media/media-call";
import { findMediaFaults, findOtherFamily } from "@/components/playground/media/media-fields";
import {
  type Attachment,
  countMessageCharacters,
  findLostRecording,
  listOpenToolCalls,
  type Message,
} from "@/components/playground/messages/message";
import { findLastAnswer, type Pane } from "@/components/playground/panes/pane";
import { type Faults, findSettingFaults } from "@/components/playground/settings";
import { fillMessage, readValues } from "@/components/playground/variables/fill-workbench";
import { findSettings, type Workbench } from "@/components/playground/workbench";
import type { VariableValues } from "@/lib/contract/calls/prompt-variables";
import { formatBytes } from "@/lib/contract/format-bytes";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";

/** A pane that the message can't go to, and why. */
export type Refused = { readonly paneId: string; readonly faults: Faults };

type Models = readonly OrganizationModel[] | null;

/** Returns the first pane that the message in the composer can't go to; null if it can go to all. */
export function findRefused(
  workbench: Workbench,
  attachments: readonly Attachment[],
  models: Models,
): Refused | null {
  const all = workbench.panes.map((pane) => ({
    paneId: pane.id,
    faults: findPaneFaults(workbench, pane, attachments, models),
  }));
  return all.find(({ faults }) => Object.keys(faults).length > 0) ?? null;
}

/** Removes errors that have been fixed. New errors are reported on the next Send. */
export function stillRefused(
  workbench: Workbench,
  { paneId, faults }: Refused,
  attachments: readonly Attachment[],
  models: Models,
): Refused | null {
  const pane = workbench.panes.find(({ id }) => id === paneId);
  const now = pane ? findPaneFaults(workbench, pane, attachments, models) : {};
  const left = Object.entries(now).filter(([name]) => Object.hasOwn(faults, name));
  return left.length > 0 ? { paneId, faults: Object.fromEntries(left) } : null;
}

function findPaneFaults(
  workbench: Workbench,
  pane: Pane,
  attachments: readonly Attachment[],
  models: Models,
): Faults {
  const model = models?.find(({ id }) => id === pane.model);
  const family = findOtherFamily(model);
  const written = { text: workbench.draft, attachments };
  if (model && family) {
    const isEmpty = written.text.trim() === "" && attachments.length === 0;
    const message = isEmpty ? null : findMessageFault(family, written);
    const [options] = Object.values(findMediaFaults(model, pane.options));
    return { ...(message !== null && { message }), ...(options !== undefined && { options }) };
  }
  const settings = findSettings(workbench, pane);
  const message =
    toolFault(pane.messages) ??
    findLostRecording(pane.messages) ??
    recordingFault(settings.endpoint === "messages", attachments) ??
    sizeFault(pane.messages, written);
  const faults = {
    ...findSettingFaults(settings),
    ...(message !== null && { message }),
  };
  return pane.model.trim() === "" ? { model: "Name a model.", ...faults } : faults;
}

/** Providers refuse a conversation with a tool call that has no reply. */
function toolFault(messages: readonly Message[]): string | null {
  const [first, ...others] = listOpenToolCalls(messages);
  if (!first) return null;
  return others.length === 0
    ? `Enter the result of ${first.name} first.`
    : `Enter the results of the ${others.length + 1} open tool calls first.`;
}

/** Chat completions and responses take two formats, as `input_audio`. */
function recordingFault(isMessages: boolean, attachments: readonly Attachment[]): string | null {
  const recordings = attachments.filter(({ kind }) => kind === "audio");
  if (recordings.length === 0) return null;
  if (isMessages) return "The Messages API takes no recordings. Remove them, or choose Chat completions.";
  const other = recordings.find(({ mimeType }) => !/\/(mpeg|mp3|wav|wave|x-wav)$/.test(mimeType));
  return other ? `${other.name}: a chat model takes recordings as MP3 or WAV.` : null;
}

/** A little less than the console's server reads of one request (`next.config.ts`). */
const MAX_LENGTH = 15 * 1024 * 1024;

function sizeFault(
  messages: readonly Message[],
  written: Pick<Message, "text" | "attachments">,
): string | null {
  const length = [...messages, written].reduce((sum, message) => sum + countMessageCharacters(message), 0);
  if (length <= MAX_LENGTH) return null;
  return `The conversation is larger than ${formatBytes(MAX_LENGTH)} with its files. Delete messages with files, or begin a new conversation.`;
}

/** What a pane's last answer was asked for, by what people wrote. Equal for panes whose answers can be compared. */
function describeQuestion({ messages }: Pane, values: VariableValues): string {
  const answered = messages.findLastIndex(({ role }) => role === "assistant");
  const written = messages.slice(0, answered).filter(({ call, role }) => !call && role === "user");
  return JSON.stringify(
    written.map((one) => [
      fillMessage(one, values),
      one.attachments?.map(({ name, data }) => [name, data.length]),
    ]),
  );
}

/** Returns the panes with an answer, in groups that answered the same. */
export function groupByQuestion(
  panes: readonly Pane[],
  values: VariableValues,
): readonly (readonly Pane[])[] {
  const groups = new Map<string, Pane[]>();
  for (const pane of panes) {
    if (findLastAnswer(pane) === "") continue;
    const question = describeQuestion(pane, values);
    const group = groups.get(question);
    if (group) group.push(pane);
    else groups.set(question, [pane]);
  }
  return [...groups.values()];
}

/** Returns the panes that answered what most panes did, and how many answered something else; null for under two. */
export function findComparable(workbench: Workbench): { panes: readonly Pane[]; otherCount: number } | null {
  const groups = groupByQuestion(workbench.panes, readValues(workbench));
  const [panes = [], ...others] = groups.toSorted((one, other) => other.length - one.length);
  if (panes.length < 2) return null;
  return { panes, otherCount: others.reduce((sum, group) => sum + group.length, 0) };
}
