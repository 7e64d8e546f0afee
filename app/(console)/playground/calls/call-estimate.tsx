"use client";

import { useState } from "react";
import { readTokenPrices } from "@/components/models/read-prices";
import type { Workbench } from "@/components/playground/workbench";
import { useRead } from "@/components/queries/reads/use-read";
import { Button } from "@/components/ui/button";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { Status } from "@/components/ui/status";
import { countNouns } from "@/components/ui/values/group-digits";
import { RoundedMoney } from "@/components/ui/values/rounded-money";
import { RoundedUpMoney } from "@/components/ui/values/rounded-up-money";
import type { CallPreview } from "@/lib/contract/operations/calls/completions";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import type { UsageSummary } from "@/lib/contract/operations/usage/usage-summary";
import { type Nano, parseCheckedAmount, toNano } from "@/lib/money/amount";
import { computeCharge } from "@/lib/money/charge";
import { isUnasked, type PanePreview } from "./use-preview";

const PreviewDialog = loadOnClient(() => import("./preview-dialog").then((file) => file.PreviewDialog));

type CallEstimateProps = {
  previews: readonly PanePreview[];
  /** What such calls cost before; null if it is unknown. */
  expectedCost: Nano | null;
  /** Null if it is unknown. */
  projectName: string | null;
  seesBalance: boolean;
};

/** Shows, before the call is sent, its size, its maximum cost, whether it would be admitted, and the balance. */
export function CallEstimate({ previews, expectedCost, projectName, seesBalance }: CallEstimateProps) {
  const [isOpen, setIsOpen] = useState(false);
  const known = previews.flatMap(({ preview }) => (preview ? [preview] : []));
  const estimates = previews.flatMap(({ estimate }) => (estimate ? [estimate] : []));
  const currency = (known[0] ?? estimates[0])?.currency;
  const unasked = previews.some(isUnasked);
  const refused = previews.filter((one) => !isUnasked(one) && (one.problem || one.preview?.refusal));
  if (currency === undefined && refused.length === 0 && !unasked) return null;
  const held = [...known.map(({ hold }) => hold), ...estimates.map(({ amount }) => amount)].reduce(
    (sum, amount) => sum + parseCheckedAmount(amount),
    0n,
  );
  const sizes = [describeTokens(known), ...estimates.map(({ size }) => size)].filter((size) => size !== null);
  return (
    <>
      {sizes.map((size) => (
        <span key={size}>{size}</span>
      ))}
      {currency !== undefined && expectedCost !== null && (
        <span title="From the length of earlier answers of the model">
          about <RoundedMoney amount={expectedCost} currency={currency} />
        </span>
      )}
      {currency !== undefined && (
        <span>
          {estimates.length > 0 ? "costs about" : "holds up to"}{" "}
          <RoundedUpMoney amount={toNano(held)} currency={currency} />
        </span>
      )}
      {refused.length > 0 ? (
        <Status tone="bad">
          {refused.length === previews.length
            ? "would be refused"
            : `${refused.map(({ model }) => model).join(", ")} would refuse`}
        </Status>
      ) : unasked ? (
        <Status tone="near">limits not checked: the gateway doesn’t answer</Status>
      ) : (
        estimates.length === 0 && (
          <Status tone="good">
            <span className="max-w-60 truncate">fits every limit{projectName && ` of ${projectName}`}</span>
          </Status>
        )
      )}
      {seesBalance && <AvailableBalance />}
      <Button size="small" variant="ghost" onClick={() => setIsOpen(true)}>
        Check
      </Button>
      {isOpen && <PreviewDialog previews={previews} close={() => setIsOpen(false)} />}
    </>
  );
}

/** Read anew each time that an estimate appears. */
function AvailableBalance() {
  const balance = useRead("retrieveBalance").data;
  if (!balance) return null;
  return (
    <span>
      available <RoundedMoney amount={parseCheckedAmount(balance.available)} currency={balance.currency} />
    </span>
  );
}

/** Calls of media models have no tokens. */
function describeTokens(all: readonly CallPreview[]): string | null {
  const known = all.filter(({ prompt_tokens }) => prompt_tokens > 0);
  if (known.length === 0) return null;
  const counts = new Set(known.map(({ prompt_tokens }) => prompt_tokens));
  const [one = 0] = counts;
  if (counts.size === 1) {
    return `≈ ${countNouns(one, "token")} in${known.length > 1 ? ` × ${known.length}` : ""}`;
  }
  const total = known.reduce((sum, { prompt_tokens }) => sum + prompt_tokens, 0);
  return `≈ ${countNouns(total, "token")} in`;
}

type Groups = UsageSummary["groups"];

/**
 * Returns how many tokens a model's answer usually has: as in this conversation, else as in the person's calls to it;
 * null if there were none.
 */
export function findUsualAnswer({ panes }: Workbench, model: string, groups: Groups): number | null {
  const here = panes
    .flatMap(({ messages }) => messages)
    .flatMap(({ call }) => (call?.model === model && call.usage ? call.usage.completionTokens : []));
  if (here.length > 0) return Math.round(here.reduce((sum, tokens) => sum + tokens, 0) / here.length);
  const totals = groups.find(({ id }) => id === model)?.totals;
  if (!totals || totals.requests === 0) return null;
  return Math.round(totals.completion_tokens / totals.requests);
}

/** Returns which part of the prompts of the person's calls to a model was read from a cache: 0 to 1. */
export function findCachedShare(model: string, groups: Groups): number {
  const totals = groups.find(({ id }) => id === model)?.totals;
  return totals && totals.prompt_tokens > 0 ? totals.cached_tokens / totals.prompt_tokens : 0;
}

interface ExpectedCall {
  readonly promptTokens: number;
  /** As many as such answers usually have. */
  readonly completionTokens: number;
  /** The longest answer that the call allows; null for the model's own. */
  readonly maxTokens: number | null;
  readonly cachedShare: number;
}

/** Returns what a call is expected to cost, by classes of tokens; null for a model without prices by tokens. */
export function computeExpectedCost(
  model: OrganizationModel | undefined,
  { promptTokens, completionTokens, maxTokens, cachedShare }: ExpectedCall,
): Nano | null {
  const prices = model && readTokenPrices(model);
  if (!prices) return null;
  const usage = {
    promptTokens,
    completionTokens: Math.min(completionTokens, maxTokens ?? completionTokens),
    cachedTokens: Math.round(promptTokens * cachedShare),
  };
  return computeCharge(usage, prices);
}
