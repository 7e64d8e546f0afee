"use client";

import { type ReactNode, useEffect } from "react";
import { CopyButton } from "@/components/ui/copy-button";
import { groupDigits, trimDecimal } from "@/components/ui/group-digits";
import { IdChip } from "@/components/ui/id-chip";
import { Money } from "@/components/ui/money";
import { Quantity } from "@/components/ui/quantity";
import { Skeleton } from "@/components/ui/skeleton";
import { Status } from "@/components/ui/status";
import { TextLink } from "@/components/ui/text-link";
import { paths } from "@/lib/console/paths";
import type { LedgerEntry } from "@/lib/contract/operations/balance";
import { describeUnits } from "../../tasks/describe-task";
import { describeDuration, tokensPerSecond } from "../panes/describe-latency";
import { withMessage } from "../panes/pane";
import type { WorkbenchStore } from "../panes/workbench-store";
import type { PlaygroundRights } from "../playground-rights";
import type { Run } from "./message";
import { type Charge, useCharge } from "./use-charge";

type ReceiptProps = {
  run: Run;
  text: string;
  paneId: string;
  messageId: string;
  store: WorkbenchStore;
  rights: Pick<PlaygroundRights, "seesCharges" | "seesLedger">;
};

/** Shown below a finished answer: tokens, exact cost and times. */
export function Receipt({ run, text, paneId, messageId, store, rights }: ReceiptProps) {
  const { seesCharges, seesLedger } = rights;
  const { requestId, usage, firstWordMs, totalMs, finishReason, loweredTo } = run;
  const charge = useCharge(seesCharges ? requestId : null);
  const entry = charge.state === "known" ? charge.entry : null;
  const { amount, currency } = entry ?? {};
  useEffect(() => {
    if (amount === undefined || currency === undefined) return;
    // Store the charge in the message, so that the pane can show it and compare it with others.
    store.changePane(paneId, (pane) =>
      withMessage(pane, messageId, (one) =>
        one.run && one.run.charge?.amount !== amount
          ? { ...one, run: { ...one.run, charge: { amount, currency } } }
          : one,
      ),
    );
  }, [store, paneId, messageId, amount, currency]);
  // Charged tokens take precedence. A stopped answer has no other count.
  const isByUnit = entry?.units !== undefined;
  const tokensIn = isByUnit ? null : (entry?.prompt_tokens ?? usage?.promptTokens ?? null);
  const tokensOut = isByUnit ? null : (entry?.completion_tokens ?? usage?.completionTokens ?? null);
  const speed = tokensOut === null ? null : tokensPerSecond(tokensOut, firstWordMs, totalMs);
  return (
    <footer className="grid gap-1.5 border-t pt-2 text-sm">
      <dl className="flex flex-wrap gap-x-5 gap-y-1">
        <Fact name="Tokens in">{tokensIn === null ? null : <Quantity value={tokensIn} />}</Fact>
        <Fact name="Tokens out">{tokensOut === null ? null : <Quantity value={tokensOut} />}</Fact>
        {seesCharges && requestId && <Fact name="Cost">{cost(charge, seesLedger)}</Fact>}
        <Fact name="First token">{firstWordMs === null ? null : describeDuration(firstWordMs)}</Fact>
        <Fact name="Total">{totalMs === null ? null : describeDuration(totalMs)}</Fact>
        <Fact name="Speed">{speed && `${speed} tokens/s`}</Fact>
        <Fact name="Finish">{finishReason && <code className="font-mono">{finishReason}</code>}</Fact>
      </dl>
      {entry?.price && <Arithmetic entry={entry} isLinked={seesLedger} />}
      {loweredTo !== null && (
        <p className="text-warning">
          <code className="font-mono">max_tokens</code> was lowered to {groupDigits(String(loweredTo))}: the
          balance covers no more.
        </p>
      )}
      <div className="-ml-1 flex min-w-0 items-center gap-x-2">
        {text !== "" && <CopyButton text={text} what="answer" />}
        {requestId && (
          <span className="min-w-0">
            <IdChip id={requestId} what="request id" />
          </span>
        )}
        {seesCharges && requestId && <TextLink href={paths.request(requestId)}>Receipt</TextLink>}
      </div>
    </footer>
  );
}

/** A named value. Renders nothing if there is none. */
function Fact({ name, children }: { name: string; children: ReactNode }) {
  if (children === null || children === "") return null;
  return (
    <div className="flex items-baseline gap-1.5">
      <dt className="text-muted">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function cost(charge: Charge, isLinked: boolean): ReactNode {
  switch (charge.state) {
    case "known":
      return <Money amount={charge.entry.amount} currency={charge.entry.currency} />;
    case "awaited":
      return <Skeleton className="h-4 w-24 self-center" />;
    case "failed":
      return <span className="text-danger">{charge.problem.message}</span>;
    case "missing":
      return isLinked ? <TextLink href={paths.balance()}>Not in the ledger yet</TextLink> : "Not charged yet";
  }
}

function Arithmetic({ entry, isLinked }: { entry: LedgerEntry; isLinked: boolean }) {
  const { prompt_tokens, completion_tokens, price, basis, units } = entry;
  if (!price) return null;
  if (units !== undefined && price.per_unit) {
    const { unit, amount } = price.per_unit;
    return (
      <p className="flex flex-wrap items-center gap-x-3 text-muted">
        <span>
          {describeUnits({ quantity: Number(units), unit })} × {groupDigits(trimDecimal(amount))} × model rate{" "}
          {price.rate}
        </span>
        {isLinked && <EntryLink entry={entry} />}
      </p>
    );
  }
  const tokens = (count: number | null) => groupDigits(String(count ?? 0));
  return (
    <p className="flex flex-wrap items-center gap-x-3 text-muted">
      <span>
        ({tokens(prompt_tokens)} × {groupDigits(trimDecimal(price.input_per_1m))} +{" "}
        {tokens(completion_tokens)} × {groupDigits(trimDecimal(price.output_per_1m))}) ÷ 1,000,000 × model
        rate {price.rate}
      </span>
      {basis && basis !== "reported" && <Status tone="near">{basis}</Status>}
      {isLinked && <EntryLink entry={entry} />}
    </p>
  );
}

function EntryLink({ entry }: { entry: LedgerEntry }) {
  return <TextLink href={paths.balance({ request_id: entry.request_id ?? "" })}>View in balance</TextLink>;
}
