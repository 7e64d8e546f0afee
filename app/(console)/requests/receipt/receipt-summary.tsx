"use client";

import { readReceiptParameters } from "@/components/playground/playground-parameters";
import { useHoldsInProject } from "@/components/shell/held-permissions";
import { LinkButton } from "@/components/ui/links/link-button";
import { ClockTime } from "@/components/ui/time/clock-time";
import { paths } from "@/lib/console/paths";
import type { RequestReceipt } from "@/lib/contract/operations/calls/requests";
import { describeReceipt } from "./describe-receipt";

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
  const { request, checks } = receipt;
  const inPlayground = readReceiptParameters(receipt);
  const isByLimit = checks.some(
    ({ verdict, window }) => verdict === "refused" && (window === "minute" || window === "day"),
  );
  return (
    <>
      {isByLimit && <LimitLink href={paths.rateLimit(request.project_id, request.model)} />}
      {inPlayground && (
        <LinkButton href={paths.playground(request.project_id, inPlayground)}>Open in playground</LinkButton>
      )}
    </>
  );
}

/** Nothing for people to whom the page of the limit would only be refused. */
function LimitLink({ href }: { href: string }) {
  const canRead = useHoldsInProject("api.rate_limits.read");
  const canChange = useHoldsInProject("api.rate_limits.write");
  if (canChange)
    return (
      <LinkButton variant="primary" href={href}>
        Change the limit
      </LinkButton>
    );
  return canRead && <LinkButton href={href}>View the limit</LinkButton>;
}
