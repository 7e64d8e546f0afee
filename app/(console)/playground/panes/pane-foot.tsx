"use client";

import { Money } from "@/components/ui/money";
import { TextLink } from "@/components/ui/text-link";
import { paths } from "@/lib/console/paths";
import type { OrganizationModel } from "@/lib/contract/operations/models";
import { isRunning, type Message } from "../messages/message";
import type { PlaygroundRights } from "../playground-rights";
import { costSoFar, roughTokens } from "./cost-so-far";
import { describeDuration, tokensPerSecond } from "./describe-latency";
import { useElapsed } from "./use-elapsed";

type PaneFootProps = { last: Message; model: OrganizationModel | undefined; rights: PlaygroundRights };

/** Figures of a pane's last answer: time to the first token, speed and the cost so far; at the end, the final cost. */
export function PaneFoot({ last, model, rights }: PaneFootProps) {
  const { run, text } = last;
  const running = isRunning(run);
  const nowMs = useElapsed(running);
  if (!run) return null;
  const { firstWordMs, totalMs, usage, charge, requestId } = run;
  const tokens = usage?.completionTokens ?? roughTokens(text.length);
  const speed = tokensPerSecond(tokens, firstWordMs, totalMs ?? nowMs);
  const soFar = running ? costSoFar(run, tokens, model) : null;
  return (
    <footer className="flex min-h-9 shrink-0 flex-wrap items-center gap-x-2.5 border-t px-3 py-1 text-xs">
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
      {charge && <Money amount={charge.amount} currency={charge.currency} />}
      {soFar && (
        <span>
          <Money amount={soFar.amount} currency={soFar.currency} approximate />{" "}
          <span className="text-muted">so far</span>
        </span>
      )}
      {run.state === "refused" && <span className="text-muted">Nothing was charged</span>}
      {requestId && rights.seesCharges && !running && (
        <TextLink className="ml-auto" href={paths.request(requestId)}>
          Receipt
        </TextLink>
      )}
    </footer>
  );
}
