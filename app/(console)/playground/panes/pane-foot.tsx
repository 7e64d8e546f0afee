"use client";

import { hasReceipt, isRunning, type Message } from "@/components/playground/messages/message";
import type { WorkbenchStore } from "@/components/playground/workbench-store";
import { computeTokensPerSecond, describeDuration } from "@/components/ui/values/describe-latency";
import { Money } from "@/components/ui/values/money";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import { Receipt } from "../messages/receipt";
import type { PlaygroundRights } from "../playground-rights";
import { estimateCostSoFar, roughTokens } from "./estimate-cost-so-far";
import { useElapsed } from "./use-elapsed";

type PaneFootProps = {
  paneId: string;
  last: Message;
  store: WorkbenchStore;
  model: OrganizationModel | undefined;
  rights: PlaygroundRights;
};

/** Figures of a pane's last answer: time to the first token, speed and the cost so far; at the end, its receipt. */
export function PaneFoot({ paneId, last, store, model, rights }: PaneFootProps) {
  const { call, text } = last;
  const running = isRunning(call);
  const nowMs = useElapsed(running);
  if (!call || (last.output?.kind === "task" && !running)) return null;
  if (hasReceipt(last))
    return (
      <div className="max-h-[40%] shrink-0 overflow-y-auto border-t px-3 py-1">
        <Receipt key={last.id} {...{ call, rights, store, paneId }} messageId={last.id} />
      </div>
    );
  const { firstWordMs, totalMs, usage } = call;
  const tokens = usage?.completionTokens ?? roughTokens(text.length);
  const speed = computeTokensPerSecond(tokens, firstWordMs, totalMs ?? nowMs);
  const soFar = running ? estimateCostSoFar(call, tokens, model) : null;
  return (
    <footer className="flex min-h-9.25 shrink-0 flex-wrap items-center gap-x-2.5 border-t px-3 py-1 text-xs">
      {firstWordMs !== null && (
        <span>
          <strong className="font-medium">{describeDuration(firstWordMs)}</strong>{" "}
          <span className="text-muted">to first</span>
        </span>
      )}
      {speed && (
        <span>
          <strong className="font-medium">
            {usage ? "" : "≈ "}
            {Math.round(Number(speed))}
          </strong>{" "}
          <span className="text-muted">tok/s</span>
        </span>
      )}
      {soFar && (
        <span>
          <Money amount={soFar.amount} currency={soFar.currency} isApproximate />{" "}
          <span className="text-muted">so far</span>
        </span>
      )}
      {call.state === "refused" && call.problem?.code !== "unreachable" && (
        <span className="text-muted">Nothing was charged</span>
      )}
    </footer>
  );
}
