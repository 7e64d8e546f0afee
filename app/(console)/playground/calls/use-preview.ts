"use client";

import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { Problem } from "@/lib/console/gateway/problem";
import type { CallPreview } from "@/lib/contract/operations/completions";
import { previewCalls } from "../actions";
import { isPaneRunning, nextMessages, settingsOf, type Workbench } from "../panes/pane";
import { faultsOf } from "../settings/settings";
import { callBody } from "./call-body";

export interface PanePreview {
  readonly paneId: string;
  readonly model: string;
  readonly preview: CallPreview | null;
  readonly problem: Problem | null;
}

const ASK_AFTER_MS = 400;
/** Longer conversations aren't previewed, since each edit would send them again. */
const LONGEST = 400_000;
const NONE: readonly PanePreview[] = [];

/** Previews the calls that Send would make. Empty while unknown. */
export function usePreview(workbench: Workbench, projectId: string | null): readonly PanePreview[] {
  const calls = callsOf(workbench);
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
  if (calls.length === 0 || settled !== wanted || !asked.data?.ok) return NONE;
  const replies = asked.data.data;
  // The gateway doesn't support previews.
  if (replies.some(({ problem }) => problem?.code === "unsupported")) return NONE;
  return calls.map(({ paneId, model }, index) => ({
    paneId,
    model,
    preview: replies[index]?.preview ?? null,
    problem: replies[index]?.problem ?? null,
  }));
}

function callsOf(workbench: Workbench) {
  if (workbench.panes.some(isPaneRunning)) return [];
  return workbench.panes.flatMap((pane) => {
    const settings = settingsOf(workbench, pane);
    const messages = nextMessages(pane, workbench.draft);
    const isFaulty = pane.model.trim() === "" || Object.keys(faultsOf(settings, null)).length > 0;
    if (messages === null || isFaulty) return [];
    const body = callBody(pane.model, { ...settings, endpoint: "chat_completions" }, messages);
    return [{ paneId: pane.id, model: pane.model, body }];
  });
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
