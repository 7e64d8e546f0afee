import { buildPreviewBody } from "@/components/playground/calls/call-body";
import { buildMediaCall, findMessageFault } from "@/components/playground/media/media-call";
import { findMediaFaults, findOtherFamily } from "@/components/playground/media/media-fields";
import {
  type Attachment,
  countMessageCharacters,
  type Message,
} from "@/components/playground/messages/message";
import { isPaneRunning, type Pane } from "@/components/playground/panes/pane";
import { findSettingFaults } from "@/components/playground/settings";
import { fillWorkbench } from "@/components/playground/variables/fill-workbench";
import { findSettings, nextMessages, type Workbench } from "@/components/playground/workbench";
import { isMediaFamily } from "@/lib/contract/calls/model-families";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import { estimateMedia, type MediaEstimate } from "../media/estimate-media";

/** The most characters of a previewed conversation: each edit would send a longer one again. */
export const MAX_PREVIEWED_LENGTH = 400_000;

interface PreviewCall {
  readonly paneId: string;
  readonly model: string;
  readonly body: object;
  /** Null for a call whose cost isn't known before; undefined for one that the gateway previews. */
  readonly estimate?: MediaEstimate | null;
}

/** Returns the calls that Send would make. Empty if one is too long, since the sum without it would be wrong. */
export function listPreviewCalls(
  written: Workbench,
  models: readonly OrganizationModel[] | null,
  attachments: readonly Attachment[],
): readonly PreviewCall[] {
  const workbench = written.panes.some(isPaneRunning) ? null : fillWorkbench(written);
  const calls = workbench?.panes.map((pane) => {
    const model = models?.find(({ id }) => id === pane.model);
    return model && findOtherFamily(model)
      ? buildMediaPreview(workbench, pane, model, attachments)
      : buildChatPreview(workbench, pane, attachments);
  });
  if (!calls || calls.includes("too long")) return [];
  return calls.filter((call) => call !== null && call !== "too long");
}

function buildMediaPreview(
  { draft: text }: Workbench,
  pane: Pane,
  model: OrganizationModel,
  attachments: readonly Attachment[],
): PreviewCall | null {
  const draft = { id: "draft", role: "user" as const, text, attachments };
  const call = buildMediaCall(model, pane.options, [draft]);
  if (!call || findMessageFault(call.family, draft) !== null) return null;
  if (hasFaults(findMediaFaults(model, pane.options))) return null;
  const named = { paneId: pane.id, model: pane.model, body: call.body };
  return isMediaFamily(call.family) ? named : { ...named, estimate: estimateMedia(call, model) };
}

function buildChatPreview(
  workbench: Workbench,
  pane: Pane,
  attachments: readonly Attachment[],
): PreviewCall | null | "too long" {
  const settings = findSettings(workbench, pane);
  const messages = nextMessages(workbench, pane, attachments);
  if (messages === null || pane.model.trim() === "" || hasFaults(findSettingFaults(settings))) return null;
  if (isLong(messages)) return "too long";
  const body = buildPreviewBody(pane.model, settings, messages);
  return { paneId: pane.id, model: pane.model, body };
}

/** Checked before the body is made, which would take long for each key pressed beside megabytes of files. */
function isLong(messages: readonly Message[]): boolean {
  return messages.reduce((sum, message) => sum + countMessageCharacters(message), 0) > MAX_PREVIEWED_LENGTH;
}

function hasFaults(faults: object): boolean {
  return Object.keys(faults).length > 0;
}
