"use client";

import { useEffect } from "react";
import { NoScript, SignedOutScreen } from "@/app/(auth)/signed-out-screen";
import { useAction } from "@/components/queries/actions/use-action";
import { CheckList } from "@/components/requests/check-list";
import { describeReceipt } from "@/components/requests/describe-receipt";
import { ReceiptChip } from "@/components/requests/outcome-chip";
import { Wordmark } from "@/components/shell/logo";
import { Button } from "@/components/ui/button";
import { Fact, Facts, Part } from "@/components/ui/facts";
import { Notice } from "@/components/ui/notice";
import { FormSkeleton } from "@/components/ui/states/skeleton";
import { IdChip } from "@/components/ui/text/id-chip";
import { ClockTime } from "@/components/ui/time/clock-time";
import { DateTime } from "@/components/ui/time/date-time";
import { describeDuration } from "@/components/ui/values/describe-latency";
import { formatCount } from "@/components/ui/values/group-digits";
import { Money } from "@/components/ui/values/money";
import type { SharedReceipt as Shared } from "@/lib/contract/operations/calls/receipt-links";
import { useLinkToken } from "../use-link-token";
import { readSharedReceipt } from "./actions";

/** One call's receipt for somebody without an account, who has a link to it. */
export function SharedReceipt() {
  const token = useLinkToken();
  return <OneReceipt key={token} token={token} />;
}

function OneReceipt({ token }: { token: ReturnType<typeof useLinkToken> }) {
  const { mutate, data, error, isPending } = useAction(readSharedReceipt, { isRepeatable: true });
  useEffect(() => {
    if (token) mutate({ token });
  }, [token, mutate]);
  if (data) return <ReceiptPage receipt={data} />;
  const problem = error?.problem;
  return (
    <SignedOutScreen title="Receipt of a call">
      <NoScript />
      {token === null ? (
        <Notice tone="near" role="alert" title="This link is incomplete">
          Open the complete link again, as it was sent to you.
        </Notice>
      ) : problem?.code === "invalid" ? (
        <Notice tone="bad" role="alert" title="This link no longer works">
          It has expired or was revoked. Ask whoever sent it for a new one.
        </Notice>
      ) : problem ? (
        <Notice
          tone="bad"
          role="alert"
          title="The receipt could not be opened"
          actions={
            <Button size="small" pending={isPending} onClick={() => token && mutate({ token })}>
              Try again
            </Button>
          }
        >
          {problem.message} The link is still good.
        </Notice>
      ) : (
        <div className="noscript:hidden">
          <FormSkeleton fields={4} />
        </div>
      )}
    </SignedOutScreen>
  );
}

function ReceiptPage({ receipt }: { receipt: Shared }) {
  const { organization, request, checks, resets_in_ms, expires_at } = receipt;
  const { title, sentence, mend } = describeReceipt({ ...receipt, task_id: null });
  return (
    <main className="mx-auto grid w-full max-w-[560px] gap-6 px-4 py-8">
      <header className="grid gap-4">
        <Wordmark />
        <div className="grid gap-1">
          <p className="text-sm text-muted wrap-anywhere">Receipt of a call, shared by {organization.name}</p>
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h1 className="text-xl font-semibold wrap-anywhere">{title}</h1>
            <ReceiptChip request={request} />
          </div>
          <p className="text-muted">
            {sentence}{" "}
            {resets_in_ms !== null && (
              <>
                A retry after <ClockTime at={request.created_at + Math.ceil(resets_in_ms / 1000)} /> succeeds
                unless other calls use the limit first.{" "}
              </>
            )}
            {mend}
          </p>
        </div>
      </header>
      <Part title="Call">
        <SharedFacts receipt={receipt} />
      </Part>
      <Part title="Checks, in order">
        <CheckList checks={checks} keyName={null} currency={request.currency} />
      </Part>
      <footer className="border-t pt-3 text-sm text-muted">
        This link works until <DateTime at={expires_at} />. It shows this call only, without its prompt and
        answer.
      </footer>
    </main>
  );
}

function SharedFacts({ receipt: { request } }: { receipt: Shared }) {
  const { prompt_tokens: tokensIn, completion_tokens: tokensOut } = request;
  return (
    <Facts>
      <Fact name="Request">
        <IdChip id={request.id} what="request id" />
      </Fact>
      <Fact name="When">
        <DateTime at={request.created_at} />
      </Fact>
      {request.project_name !== null && <Fact name="Project">{request.project_name}</Fact>}
      <Fact name="Model">
        <code className="font-mono text-sm wrap-anywhere">{request.model}</code>
      </Fact>
      {tokensIn !== null && (
        <Fact name="Tokens">
          {formatCount(tokensIn)} in, {formatCount(tokensOut ?? 0)} out
        </Fact>
      )}
      {request.amount !== null && (
        <Fact name="Charged">
          <Money amount={request.amount} currency={request.currency} />
        </Fact>
      )}
      {request.duration_ms !== null && <Fact name="Duration">{describeDuration(request.duration_ms)}</Fact>}
      {request.stream !== null && <Fact name="Stream">{request.stream ? "Yes" : "No"}</Fact>}
    </Facts>
  );
}
