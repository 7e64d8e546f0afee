"use client";

import { useState } from "react";
import { AskForLimit, AskForModel, AskForSpendLimit } from "@/components/access-requests/ask-for-limit";
import { DetailState, Id } from "@/components/object-page/detail-state";
import { readReceiptParameters } from "@/components/playground/playground-parameters";
import { useReadOrOwn } from "@/components/queries/reads/use-read-or-own";
import type { ShownRead } from "@/components/queries/states/read-state";
import { describeReceipt } from "@/components/requests/describe-receipt";
import { ReceiptChip } from "@/components/requests/outcome-chip";
import { useHoldsInProject } from "@/components/shell/held-permissions";
import { PageCrumb } from "@/components/shell/top-bar/page-crumb";
import { Button } from "@/components/ui/button";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { LinkButton } from "@/components/ui/links/link-button";
import { PageHead } from "@/components/ui/page";
import { ClockTime } from "@/components/ui/time/clock-time";
import { paths } from "@/lib/console/paths";
import type { RequestReceipt } from "@/lib/contract/operations/calls/requests";
import { ReceiptView } from "./receipt-view";

const ShareDialog = loadOnClient(() => import("./share-dialog").then((file) => file.ShareDialog));

type SummaryProps = { receipt: RequestReceipt };

/** Why a call ended as it did, when it could have passed and what mends it. Belongs below its title. */
export function ReceiptSentence({ receipt }: SummaryProps) {
  const { request, resets_in_ms } = receipt;
  const { sentence, mend } = describeReceipt(receipt);
  return (
    <>
      {sentence} {resets_in_ms !== null && <Retry at={request.created_at} inMs={resets_in_ms} />} {mend}
    </>
  );
}

/** When the same call could have passed, as estimated at its refusal. */
function Retry({ at, inMs }: { at: number; inMs: number }) {
  const passesAt = at + Math.ceil(inMs / 1000);
  return (
    <>
      A retry after <ClockTime at={passesAt} className="font-medium text-foreground" /> succeeds unless other
      calls use the limit first.
    </>
  );
}

/** The links to what a person may do about a call. */
export function ReceiptActions({ receipt }: SummaryProps) {
  const canShare = useHoldsInProject("api.requests.read");
  const { request, checks } = receipt;
  const inPlayground = readReceiptParameters(receipt);
  const refusing = checks.find(({ verdict }) => verdict === "refused");
  return (
    <>
      {refusing && <RefusalActions request={request} refusing={refusing} />}
      {canShare && <ShareButton requestId={request.id} />}
      {inPlayground && (
        <LinkButton href={paths.playground(request.project_id, inPlayground)}>Open in playground</LinkButton>
      )}
    </>
  );
}

function ShareButton({ requestId }: { requestId: string }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>Share</Button>
      {isOpen && <ShareDialog requestId={requestId} close={() => setIsOpen(false)} />}
    </>
  );
}

/** What lets the same call through the next time. */
function RefusalActions({
  request,
  refusing,
}: {
  request: RequestReceipt["request"];
  refusing: RequestReceipt["checks"][number];
}) {
  const { check, window, scope, value, limit, needed } = refusing;
  if (window === "minute" || window === "day") return <LimitActions request={request} limit={refusing} />;
  const asking = { requestId: request.id, tryAgain: undefined };
  if (check === "spend_limit" && scope !== null)
    return (
      <AskForSpendLimit
        {...asking}
        projectId={scope === "project" ? request.project_id : null}
        refusedBy={
          value !== null && limit !== null && needed !== null ? { limit, used: value, needed } : null
        }
        currency={request.currency}
      />
    );
  if (request.refused_by === "model_not_allowed" && value !== null)
    return <AskForModel {...asking} projectId={request.project_id} model={value} />;
  return null;
}

type LimitActionsProps = { request: RequestReceipt["request"]; limit: RequestReceipt["checks"][number] };

/** Whoever may not change the limit asks for a higher one. */
function LimitActions({ request, limit: { check, value, limit, needed } }: LimitActionsProps) {
  const href = paths.rateLimit(request.project_id, request.model);
  const canRead = useHoldsInProject("api.rate_limits.read");
  const canChange = useHoldsInProject("api.rate_limits.write");
  if (canChange)
    return (
      <LinkButton variant="primary" href={href}>
        Change the limit
      </LinkButton>
    );
  const isKnown = value !== null && limit !== null && needed !== null;
  return (
    <>
      {isKnown && (
        <AskForLimit
          projectId={request.project_id}
          model={request.model}
          field={check}
          refusedBy={{ limit: Number(limit), used: Number(value), needed: Number(needed) }}
          requestId={request.id}
          tryAgain={undefined}
        />
      )}
      {canRead && <LinkButton href={href}>View the limit</LinkButton>}
    </>
  );
}

const allCalls = { href: paths.requests(), label: "View all calls" };
/** Who may only read their own calls has no list of them. */
const ownCalls = { href: paths.usage(), label: "View your usage" };

type ReceiptStateProps = {
  id: string;
  read: ShownRead<RequestReceipt>;
  /** Whether the person may read their own calls only. */
  isOwnOnly?: boolean;
};

/** Shows a call's receipt, or the loading or error state of its read. */
export function ReceiptState({ id, read, isOwnOnly = false }: ReceiptStateProps) {
  return (
    <DetailState
      id={id}
      read={read}
      noun="call"
      list={isOwnOnly ? ownCalls : allCalls}
      missing={
        <>
          No call has the id <Id>{id}</Id>, or it belongs to a project that you don’t have access to. Only the
          first ten refusals per key and minute are stored; the others are only counted.
        </>
      }
    >
      {(receipt) => <ReceiptView receipt={receipt} isOwnOnly={isOwnOnly} />}
    </DetailState>
  );
}

const POLL_MS = 2_000;

/**
 * Reads a call's receipt, and polls while the call is running. Works for people who can read calls and for the caller.
 * @param isOwnOnly whether the person may read their own calls only.
 */
export function useReceipt(id: string, { isOwnOnly }: { isOwnOnly: boolean }) {
  return useReadOrOwn({
    read: "retrieveRequest",
    own: "retrieveOwnRequest",
    parameters: { request_id: id },
    isOwnOnly,
    isUnfinished: ({ request }) => request.outcome === "in_progress",
    pollMs: POLL_MS,
  });
}

/** The page of a call's receipt. */
export function ReceiptScreen({ id, isOwnOnly }: { id: string; isOwnOnly: boolean }) {
  const receipt = useReceipt(id, { isOwnOnly });
  return (
    <>
      <PageCrumb label={id} />
      <PageHead
        title={receipt.data ? describeReceipt(receipt.data).title : "Call"}
        sentence={receipt.data && <ReceiptSentence receipt={receipt.data} />}
        action={receipt.data && <ReceiptActions receipt={receipt.data} />}
        beside={receipt.data && <ReceiptChip request={receipt.data.request} />}
      />
      <ReceiptState id={id} read={receipt} isOwnOnly={isOwnOnly} />
    </>
  );
}
