"use client";

import { useAction } from "@/components/queries/actions/use-action";
import { Button } from "@/components/ui/button";
import { Fact, Facts, Part } from "@/components/ui/facts";
import { Notice } from "@/components/ui/notice";
import { ExactTime } from "@/components/ui/time/relative-time";
import type { RequestReceipt } from "@/lib/contract/operations/calls/requests";
import { readRequestBody } from "./body-actions";
import { BodyView } from "./body-view";
import { describeMetadata, explainBody } from "./describe-body";
import { OpenWholeCall } from "./open-whole-call";

/** The stored prompt and answer of a call. Loaded only on request. */
export function BodyPart({ receipt }: { receipt: RequestReceipt }) {
  const { id, body } = receipt;
  const reading = useAction(readRequestBody);
  const canRead = body.state === "whole" && body.is_readable;
  const problem = reading.error?.problem;
  return (
    <Part title="Prompt and answer">
      {body.metadata && (
        <Facts>
          {describeMetadata(body.metadata).map(([name, value]) => (
            <Fact key={name} name={name}>
              <span className="wrap-anywhere">{value}</span>
            </Fact>
          ))}
          {body.kept_until !== null && (
            <Fact name="Kept until">
              <ExactTime at={body.kept_until} />
            </Fact>
          )}
        </Facts>
      )}
      {reading.data ? (
        <>
          <BodyView body={reading.data} />
          {receipt.client?.endpoint !== "embeddings" && (
            <OpenWholeCall receipt={receipt} body={reading.data} />
          )}
        </>
      ) : (
        <p className="max-w-prose text-muted">{explainBody(body)}</p>
      )}
      {problem && (
        <Notice tone="bad" role="alert" title="They could not be read">
          {problem.message}
        </Notice>
      )}
      {canRead && !reading.data && (
        <div>
          <Button pending={reading.isPending} onClick={() => reading.mutate({ requestId: id })}>
            Read prompt and answer
          </Button>
        </div>
      )}
    </Part>
  );
}
