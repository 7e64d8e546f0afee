"use client";

import { estimateMedia, type MediaEstimate } from "@/app/(console)/playground/media/estimate-media";
import { previewCalls } from "@/components/playground/actions";
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
import { useActionQuery } from "@/components/queries/actions/use-action-query";
import { useDebounced } from "@/components/ui/browser/use-debounced";
import type { Problem } from "@/lib/console/gateway/problem";
import { isMediaFamily } from "@/lib/contract/calls/model-families";
import type { CallPreview } from "@/lib/contract/operations/calls/completions";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";

export interface PanePreview {
  readonly paneId: string;
  readonly model: string;
  readonly preview: CallPreview | null;
  /** Why the gateway would refuse the call; or, with `unreachable`, why it couldn't be asked. */
  readonly problem: Problem | null;
  /** What the call costs, where the gateway previews no calls of its kind. */
  readonly estimate?: MediaEstimate | undefined;
}

const ASK_AFTER_MS = 400;
const ASK_AGAIN_MS = 5_000;
const NONE: readonly PanePreview[] = [];

/** True if no gateway answered, which says nothing about the call. It is asked again every few seconds. */
export const isUnasked = ({ problem }: Pick<PanePreview, "problem">) => problem?.code === "unreachable";

/** Previews the calls that Send would make. Empty while unknown. */
export function usePreview(
  workbench: Workbench,
  projectId: string | null,
  models: readonly OrganizationModel[] | null,
  attachments: readonly Attachment[],
): readonly PanePreview[] {
  const all = listPreviewCalls(workbench, models, attachments);
  const calls = all.filter(({ estimate }) => estimate === undefined);
  const runAs = workbench.runAs?.id;
  const wanted = JSON.stringify(calls);
  const settled = useDebounced(wanted, ASK_AFTER_MS);
  const asked = useActionQuery({
    queryKey: ["call-previews", projectId, runAs, settled],
    ask: () =>
      previewCalls({ projectId, ...(runAs && { runAs }), bodies: calls.map(({ body }) => ({ ...body })) }),
    enabled: calls.length > 0 && settled === wanted && wanted.length <= MAX_PREVIEWED_LENGTH,
    gcTime: 30_000,
    refetchInterval: ({ state }) => (state.data?.some(isUnasked) ? ASK_AGAIN_MS : false),
  });
  const estimated = all.flatMap(({ paneId, model, estimate }): PanePreview[] =>
    estimate ? [{ paneId, model, preview: null, problem: null, estimate }] : [],
  );
  if (calls.length === 0) return estimated.length > 0 ? estimated : NONE;
  if (settled !== wanted || !asked.isSuccess) return NONE;
  const replies = asked.data;
  // The gateway doesn't support previews.
  if (replies.some(({ problem }) => problem?.code === "unsupported")) return NONE;
  const previewed = calls.map(({ paneId, model }, index) => ({
    paneId,
    model,
    preview: replies[index]?.preview ?? null,
    problem: replies[index]?.problem ?? null,
  }));
  return [...previewed, ...estimated];
}

/** The most characters of a previewed conversation: each edit would send a longer one again. */
const MAX_PREVIEWED_LENGTH = 400_000;

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
