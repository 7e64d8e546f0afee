"use client";

import { previewCalls } from "@/components/playground/actions";
import { buildPreviewBody } from "@/components/playground/calls/call-body";
import { parseCallBody } from "@/components/playground/panes/create-workbench-from-call";
import { PROMPT_TOO_LONG } from "@/components/playground/variables/prompt-text";
import { useActionQuery } from "@/components/queries/actions/use-action-query";
import { asPagePerson } from "@/components/queries/reads/fetch-read";
import type { ActionReply } from "@/lib/console/gateway/problem";
import { formatAmount, parseCheckedAmount, sumAmounts } from "@/lib/money/amount";
import { buildCallBody, type Cell } from "./run-cells";

export interface Estimate {
  readonly currency: string;
  /** The cost if answers have their expected length. */
  readonly expected: string;
  readonly most: string;
  /** The number of calls that would be refused now, each judged on its own, with the first reason. */
  readonly refused: { readonly count: number; readonly reason: string } | null;
}

/** Number of calls per preview request. */
const AT_ONCE = 25;

/**
 * Estimates the cost of a run by the rules that admit calls. `key` identifies the cells, which can be too
 * long to compare.
 */
export function useEstimate(projectId: string, key: readonly unknown[], cells: readonly Cell[]) {
  return useActionQuery({
    queryKey: ["run-estimate", projectId, ...key],
    ask: () => estimate(projectId, cells),
    enabled: cells.length > 0,
    staleTime: 10_000,
    gcTime: 30_000,
  });
}

async function estimate(projectId: string, cells: readonly Cell[]): Promise<ActionReply<Estimate>> {
  const outcomes = [];
  let tooLong = 0;
  for (let from = 0; from < cells.length; from += AT_ONCE) {
    const some = cells.slice(from, from + AT_ONCE);
    const bodies = some.map(toPreviewBody).filter((body) => body !== null);
    tooLong += some.length - bodies.length;
    if (bodies.length === 0) continue;
    const reply = await asPagePerson(() => previewCalls({ projectId, bodies }));
    if (!reply.ok) return reply;
    const unasked = reply.data.find(({ problem }) => problem?.code === "unreachable")?.problem;
    if (unasked) return { ...unasked, ok: false };
    outcomes.push(...reply.data);
  }
  const previews = outcomes.flatMap(({ preview }) => preview ?? []);
  const reasons = [
    ...Array.from({ length: tooLong }, () => PROMPT_TOO_LONG),
    ...outcomes.flatMap(({ preview, problem }) => problem?.message ?? preview?.refusal?.message ?? []),
  ];
  const [reason] = reasons;
  const total = (field: "expected_charge" | "hold") =>
    formatAmount(sumAmounts(previews.map((preview) => parseCheckedAmount(preview[field]))));
  return {
    ok: true,
    data: {
      currency: previews[0]?.currency ?? "",
      expected: total("expected_charge"),
      most: total("hold"),
      refused: reason === undefined ? null : { count: reasons.length, reason },
    },
  };
}

/** Converts the call to a chat completion, the only kind that can be previewed; null if it would be too long. */
function toPreviewBody(cell: Cell): Record<string, unknown> | null {
  const body = buildCallBody(cell);
  if (!body || cell.content.endpoint === "chat_completions") return body;
  const workbench = parseCallBody(JSON.stringify(body), cell.content.endpoint, "approximate");
  const [pane] = workbench?.panes ?? [];
  if (!workbench || !pane) return body;
  return { ...buildPreviewBody(cell.model, workbench.shared, pane.messages) };
}
