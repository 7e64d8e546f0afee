"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { groupDigits } from "@/components/ui/group-digits";
import { Money } from "@/components/ui/money";
import { Status } from "@/components/ui/status";
import type { CallPreview } from "@/lib/contract/operations/completions";
import { amountOf, formatAmount, toNano } from "@/lib/money/amount";
import { PreviewDialog } from "./preview-dialog";
import type { PanePreview } from "./use-preview";

/** Shows, before the call is sent, its size, its maximum cost and whether it would be admitted. */
export function CallEstimate({ previews }: { previews: readonly PanePreview[] }) {
  const [isOpen, setIsOpen] = useState(false);
  const known = previews.flatMap(({ preview }) => (preview ? [preview] : []));
  const [first] = known;
  if (!first) return null;
  const refused = previews.filter(({ preview, problem }) => problem || preview?.refusal);
  const held = known.reduce((sum, { hold }) => sum + amountOf(hold), 0n);
  return (
    <>
      <span>{describeTokens(known)}</span>
      <span>
        holds up to <Money amount={formatAmount(toNano(held))} currency={first.currency} />
      </span>
      {refused.length === 0 ? (
        <Status tone="good">fits every limit</Status>
      ) : (
        <Status tone="bad">
          {refused.length === previews.length
            ? "would be refused"
            : `${refused.map(({ model }) => model).join(", ")} would refuse`}
        </Status>
      )}
      <Button size="small" variant="ghost" onClick={() => setIsOpen(true)}>
        Check
      </Button>
      {isOpen && <PreviewDialog previews={previews} close={() => setIsOpen(false)} />}
    </>
  );
}

function describeTokens(known: readonly CallPreview[]): string {
  const counts = new Set(known.map(({ prompt_tokens }) => prompt_tokens));
  const [one = 0] = counts;
  if (counts.size === 1) {
    return `≈ ${groupDigits(String(one))} tokens in${known.length > 1 ? ` × ${known.length}` : ""}`;
  }
  const all = known.reduce((sum, { prompt_tokens }) => sum + prompt_tokens, 0);
  return `≈ ${groupDigits(String(all))} tokens in`;
}
