"use client";

import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { previewCalls } from "@/app/workbench/actions";
import { callBody } from "@/app/workbench/calls/call-body";
import { buildMediaCall, findMessageFault } from "@/app/workbench/media/media-call";
import { findMediaFaults, findOtherFamily } from "@/app/workbench/media/media-fields";
import { type Attachment, countMessageCharacters, type Message } from "@/app/workbench/messages/message";
import { findSettings, isPaneRunning, nextMessages, type Workbench } from "@/app/workbench/panes/pane";
import { findSettingFaults } from "@/app/workbench/settings";
import { fillWorkbench } from "@/app/workbench/variables/fill-workbench";
import type { Problem } from "@/lib/console/gateway/problem";
import { isMediaFamily } from "@/lib/contract/model-families";
import type { CallPreview } from "@/lib/contract/operations/completions";
import type { OrganizationModel } from "@/lib/contract/operations/models";
import { estimateMedia, type MediaEstimate } from "../media/estimate-media";

export interface PanePreview {
  readonly paneId: string;
  readonly model: string;
  readonly preview: CallPreview | null;
  readonly problem: Problem | null;
  /** What the call costs, where the gateway previews no calls of its kind. */
  readonly estimate?: MediaEstimate | undefined;
}

const ASK_AFTER_MS = 400;
/** Longer conversations aren't previewed, since each edit would send them again. */
const LONGEST = 400_000;
const NONE: readonly PanePreview[] = [];

/** Previews the calls that Send would make. Empty while unknown. */
export function usePreview(
  workbench: Workbench,
  projectId: string | null,
  models: readonly OrganizationModel[] | null,
  attachments: readonly Attachment[],
): readonly PanePreview[] {
  const all = listCalls(workbench, models, attachments);
  const calls = all.filter(({ estimate }) => estimate === undefined);
  const runAs = workbench.runAs?.id;
  const wanted = JSON.stringify(calls);
  const settled = useSettled(wanted);
  const asked = useQuery({
    queryKey: ["call-previews", projectId, runAs, settled],
    queryFn: () =>
      previewCalls({ projectId, ...(runAs && { runAs }), bodies: calls.map(({ body }) => ({ ...body })) }),
    enabled: calls.length > 0 && settled === wanted && wanted.length <= LONGEST,
    networkMode: "always",
    retry: false,
    staleTime: 0,
    gcTime: 30_000,
  });
  const estimated = all.flatMap(({ paneId, model, estimate }): PanePreview[] =>
    estimate ? [{ paneId, model, preview: null, problem: null, estimate }] : [],
  );
  if (calls.length === 0) return estimated.length > 0 ? estimated : NONE;
  if (settled !== wanted || !asked.data?.ok) return NONE;
  const replies = asked.data.data;
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

type AskedPreview = {
  readonly paneId: string;
  readonly model: string;
  readonly body: object;
  /** Null for a call whose cost isn't known before; undefined for one that the gateway previews. */
  readonly estimate?: MediaEstimate | null;
};

function listCalls(
  written: Workbench,
  models: readonly OrganizationModel[] | null,
  attachments: readonly Attachment[],
): readonly AskedPreview[] {
  const workbench = written.panes.some(isPaneRunning) ? null : fillWorkbench(written);
  if (!workbench) return [];
  return workbench.panes.flatMap((pane): AskedPreview[] => {
    const model = models?.find(({ id }) => id === pane.model);
    const named = { paneId: pane.id, model: pane.model };
    const family = findOtherFamily(model);
    if (model && family) {
      const draft = { id: "draft", role: "user" as const, text: workbench.draft, attachments };
      if (findMessageFault(family, draft) !== null || hasFaults(findMediaFaults(model, pane.options)))
        return [];
      const call = buildMediaCall(model, pane.options, [draft]);
      if (!call) return [];
      const { body } = call;
      return [
        isMediaFamily(family) ? { ...named, body } : { ...named, body, estimate: estimateMedia(call, model) },
      ];
    }
    const settings = findSettings(workbench, pane);
    const messages = nextMessages(pane, workbench.draft);
    if (
      messages === null ||
      isLong(messages) ||
      pane.model.trim() === "" ||
      hasFaults(findSettingFaults(settings, null))
    )
      return [];
    return [
      { ...named, body: callBody(pane.model, { ...settings, endpoint: "chat_completions" }, messages) },
    ];
  });
}

/** Checked before the body is made, which would take long for each key pressed beside megabytes of files. */
function isLong(messages: readonly Message[]): boolean {
  return messages.reduce((sum, message) => sum + countMessageCharacters(message), 0) > LONGEST;
}

function hasFaults(faults: object): boolean {
  return Object.keys(faults).length > 0;
}

/** Returns a value once it has been unchanged for a moment. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ASK_AFTER_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
