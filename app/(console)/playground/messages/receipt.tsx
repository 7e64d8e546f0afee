"use client";

import { useQuery } from "@tanstack/react-query";
import { ChevronDown } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import type { PlaygroundRights } from "@/app/(console)/playground/playground-frame";
import type { ChargeExplanation } from "@/components/money/explain-charge";
import { explainCharge } from "@/components/money/explain-charge";
import { awaitCharge } from "@/components/playground/calls/await-charge";
import type { CallState } from "@/components/playground/messages/message";
import { withMessage } from "@/components/playground/panes/pane";
import type { WorkbenchStore } from "@/components/playground/workbench-store";
import { evenOffline } from "@/components/queries/reads/fetch-read";
import { classNames } from "@/components/ui/class-names";
import { TextLink } from "@/components/ui/links/text-link";
import { Skeleton } from "@/components/ui/states/skeleton";
import { Status } from "@/components/ui/status";
import { IdChip } from "@/components/ui/text/id-chip";
import { computeTokensPerSecond, describeDuration } from "@/components/ui/values/describe-latency";
import { describeUnits } from "@/components/ui/values/describe-units";
import { formatCount, formatDecimal } from "@/components/ui/values/group-digits";
import { Money } from "@/components/ui/values/money";
import { Quantity } from "@/components/ui/values/quantity";
import { type Problem, ProblemError } from "@/lib/console/gateway/problem";
import { paths } from "@/lib/console/paths";
import { buildReadKey } from "@/lib/console/reads/reads";
import type { LedgerEntry } from "@/lib/contract/operations/money/balance";

type ReceiptProps = {
  call: CallState;
  paneId: string;
  messageId: string;
  store: WorkbenchStore;
  rights: Pick<PlaygroundRights, "seesCharges" | "seesLedger">;
};

/** The figures of a finished answer in one line: times, exact cost and tokens; how the cost came about on demand. */
export function Receipt({ call, paneId, messageId, store, rights }: ReceiptProps) {
  const { seesCharges, seesLedger } = rights;
  const { requestId, usage, firstWordMs, totalMs, loweredTo } = call;
  const [isOpen, setIsOpen] = useState(false);
  const charge = useCharge(seesCharges ? requestId : null);
  const entry = charge.state === "known" ? charge.entry : null;
  const { amount, currency } = entry ?? {};
  useEffect(() => {
    if (amount === undefined || currency === undefined) return;
    // Store the charge in the message, so that the pane can show it and compare it with others.
    store.changePane(paneId, (pane) =>
      withMessage(pane, messageId, (one) =>
        one.call && one.call.charge?.amount !== amount
          ? { ...one, call: { ...one.call, charge: { amount, currency } } }
          : one,
      ),
    );
  }, [store, paneId, messageId, amount, currency]);
  // Charged tokens take precedence. A stopped answer has no other count.
  const isByUnit = entry?.units !== undefined;
  const tokensIn = isByUnit ? null : (entry?.prompt_tokens ?? usage?.promptTokens ?? null);
  const tokensOut = isByUnit ? null : (entry?.completion_tokens ?? usage?.completionTokens ?? null);
  const speed = tokensOut === null ? null : computeTokensPerSecond(tokensOut, firstWordMs, totalMs);
  return (
    <footer className="@container grid gap-2 text-xs">
      <div className="flex min-h-7 items-center gap-x-2.5">
        <dl className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-2.5">
          <Figure name={<>to first{HIDDEN_TOKEN}</>}>
            {firstWordMs === null ? null : describeDuration(firstWordMs)}
          </Figure>
          <Figure name="tok/s">{speed && Math.round(Number(speed))}</Figure>
          {seesCharges && requestId && (
            <Figure name={<span className="sr-only">Cost</span>}>
              {cost(charge, call.charge, seesLedger)}
            </Figure>
          )}
          <Figure name={<>{HIDDEN_TOKENS}in</>} isSecondary>
            {tokensIn === null ? null : <Quantity value={tokensIn} />}
          </Figure>
          <Figure name={<>{HIDDEN_TOKENS}out</>} isSecondary>
            {tokensOut === null ? null : <Quantity value={tokensOut} />}
          </Figure>
        </dl>
        {seesCharges && requestId && (
          <TextLink className="@max-xs:hidden" href={paths.request(requestId)}>
            Receipt
          </TextLink>
        )}
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
          className="inline-flex min-h-6 items-center gap-0.5 rounded-sm text-muted hover:text-foreground pointer-coarse:min-h-11"
        >
          <span className="@max-xs:sr-only">Details</span>
          <ChevronDown aria-hidden className={classNames("size-3.5", isOpen && "rotate-180")} />
        </button>
      </div>
      {loweredTo !== null && (
        <p className="text-warning">
          Max output tokens were limited to {formatCount(loweredTo)}: the model writes no more, or the balance
          covers no more.
        </p>
      )}
      {isOpen && <Details {...{ call, entry, speed, seesLedger }} />}
    </footer>
  );
}

type DetailsProps = {
  call: CallState;
  entry: LedgerEntry | null;
  /** Tokens per second; null if unknown. */
  speed: string | null;
  seesLedger: boolean;
};

/** How an answer ended and how its cost came about. */
function Details({ call, entry, speed, seesLedger }: DetailsProps) {
  const { requestId, totalMs, finishReason, usage } = call;
  return (
    <div className="grid gap-1.5 pb-1">
      <dl className="flex flex-wrap gap-x-5 gap-y-1">
        <ReceiptFact name="Total">{totalMs === null ? null : describeDuration(totalMs)}</ReceiptFact>
        <ReceiptFact name="Speed">{speed && `${speed} tokens/s`}</ReceiptFact>
        <ReceiptFact name="Finish">
          {finishReason && <code className="font-mono">{finishReason}</code>}
        </ReceiptFact>
        <ReceiptFact name="Cached">
          {usage?.cachedTokens ? `${formatCount(usage.cachedTokens)} tokens in` : null}
        </ReceiptFact>
        <ReceiptFact name="Reasoning">
          {usage?.reasoningTokens ? `${formatCount(usage.reasoningTokens)} tokens out` : null}
        </ReceiptFact>
      </dl>
      {entry && <Arithmetic entry={entry} isLinked={seesLedger} />}
      {requestId && (
        <div className="flex min-w-0 items-center gap-3">
          <IdChip id={requestId} what="request id" />
          {entry && (
            <TextLink className="@xs:hidden" href={paths.request(requestId)}>
              Receipt
            </TextLink>
          )}
        </div>
      )}
    </div>
  );
}

const HIDDEN_TOKEN = <span className="sr-only"> token</span>;
const HIDDEN_TOKENS = <span className="sr-only">Tokens </span>;

type FigureProps = {
  name: ReactNode;
  /** Left out where the pane is narrow. */
  isSecondary?: boolean;
  children: ReactNode;
};

/** A figure with its unit after it. Renders nothing if there is none. */
function Figure({ name, isSecondary = false, children }: FigureProps) {
  if (children === null || children === "") return null;
  return (
    <div
      className={classNames(
        "flex flex-row-reverse items-baseline gap-1 whitespace-nowrap",
        isSecondary && "@max-sm:hidden",
      )}
    >
      <dt className="text-muted">{name}</dt>
      <dd className="font-medium">{children}</dd>
    </div>
  );
}

/** A named value. Renders nothing if there is none. */
function ReceiptFact({ name, children }: { name: string; children: ReactNode }) {
  if (children === null || children === "") return null;
  return (
    <div className="flex items-baseline gap-1.5">
      <dt className="text-muted">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/**
 * `kept` is the charge that the conversation was saved with. Only the person who made a call can look its charge up.
 */
function cost(charge: Charge, kept: CallState["charge"], isLinked: boolean): ReactNode {
  if (charge.state !== "known" && kept) return <Money amount={kept.amount} currency={kept.currency} />;
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
  const explained = explainCharge(entry);
  if (!explained) return null;
  const { basis, units } = entry;
  return (
    <p className="flex flex-wrap items-center gap-x-3 text-muted">
      <span>{describeCharge(explained)}</span>
      {units === undefined && basis && basis !== "reported" && <Status tone="near">{basis}</Status>}
      {isLinked && <EntryLink entry={entry} />}
    </p>
  );
}

function EntryLink({ entry }: { entry: LedgerEntry }) {
  return <TextLink href={paths.balance({ request_id: entry.request_id ?? "" })}>View in balance</TextLink>;
}

type Charge =
  | { readonly state: "known"; readonly entry: LedgerEntry }
  | { readonly state: "awaited" | "missing" }
  | { readonly state: "failed"; readonly problem: Problem };

/** Returns the charge of a request that the person made. Does nothing if the id is null. */
function useCharge(requestId: string | null): Charge {
  const { data, error } = useQuery({
    queryKey: [...buildReadKey("retrieveOwnCharge", { request_id: requestId ?? undefined }), "awaited"],
    queryFn: ({ signal }) => awaitCharge(requestId ?? "", signal),
    enabled: requestId !== null,
    // Entries never change. A charge that was missing is looked up again when the window gets the focus.
    staleTime: ({ state }) => (state.data ? Number.POSITIVE_INFINITY : 0),
    retry: false,
    ...evenOffline,
  });
  if (data) return { state: "known", entry: data };
  if (error instanceof ProblemError) return { state: "failed", problem: error.problem };
  return { state: data === null || requestId === null ? "missing" : "awaited" };
}

/** A charge's arithmetic in one line: "(3 × 1.00 + 3 × 2.00) ÷ 1,000,000 × model rate 0.50". */
export function describeCharge(explained: ChargeExplanation): string {
  const { promptTokens, completionTokens, inputPer1m, outputPer1m, rate, made, audio, cappedAt } = explained;
  const { classes, tools } = explained;
  const tokens = [
    (!made || promptTokens > 0) && `${formatCount(promptTokens)} × ${formatDecimal(inputPer1m)}`,
    ...classes.map(
      ({ name, tokens: count, per1m }) =>
        `${formatCount(count)} of ${name.toLowerCase()} × ${formatDecimal(per1m)}`,
    ),
    (!made || completionTokens > 0) && `${formatCount(completionTokens)} × ${formatDecimal(outputPer1m)}`,
    audio &&
      audio.promptTokens > 0 &&
      `${formatCount(audio.promptTokens)} of audio × ${formatDecimal(audio.inputPer1m)}`,
    audio &&
      audio.completionTokens > 0 &&
      `${formatCount(audio.completionTokens)} of audio × ${formatDecimal(audio.outputPer1m)}`,
  ].filter((term) => typeof term === "string");
  const parts = [
    made && `${describeUnits(made.units, made.unit)} × ${formatDecimal(made.amount)}`,
    ...tools.map(({ name, calls, amount }) => `${formatCount(calls)} ${name} × ${formatDecimal(amount)}`),
    tokens.length > 0 && `(${tokens.join(" + ")}) ÷ 1,000,000`,
  ].filter((part) => typeof part === "string");
  const listPrice = parts.length > 1 ? `(${parts.join(" + ")})` : parts.join("");
  const cap = cappedAt === null ? "" : `, capped at the hold: ${formatDecimal(cappedAt)}`;
  return `${listPrice} × model rate ${rate}${cap}`;
}
