"use client";

import { previewCalls } from "@/components/playground/actions";
import type { Attachment } from "@/components/playground/messages/message";
import type { Workbench } from "@/components/playground/workbench";
import { useActionQuery } from "@/components/queries/actions/use-action-query";
import { useDebounced } from "@/components/ui/browser/use-debounced";
import type { Problem } from "@/lib/console/gateway/problem";
import type { CallPreview } from "@/lib/contract/operations/calls/completions";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import type { MediaEstimate } from "../media/estimate-media";
import { listPreviewCalls, MAX_PREVIEWED_LENGTH } from "./list-preview-calls";

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
