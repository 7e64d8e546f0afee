import { Card } from "@/components/ui/card";
import { Figure } from "@/components/ui/values/figure";
import { Money } from "@/components/ui/values/money";
import { Quantity } from "@/components/ui/values/quantity";
import type { Batch } from "@/lib/contract/operations/tasks/batches";
import { describeBatchWait, describeTimeLeft } from "./describe-batch";

/** A batch's progress, usage, cost and speed. */
export function BatchFigures({ batch }: { batch: Batch }) {
  const { request_counts, usage, amount, currency, finalizing_at: endedAt } = batch;
  return (
    <Card className="grid grid-cols-2 gap-x-6 gap-y-4 sm:grid-cols-3 lg:grid-cols-5">
      <Figure label="Answered">
        <Quantity value={request_counts.completed} />
      </Figure>
      <Figure label="Failed">
        <span className={request_counts.failed > 0 ? "text-danger" : undefined}>
          <Quantity value={request_counts.failed} />
        </span>
      </Figure>
      <Figure label="Input tokens" note={<OutputNote tokens={usage.output_tokens} />}>
        <Quantity value={usage.input_tokens} />
      </Figure>
      <Figure label={endedAt === null ? "Charged so far" : "Charged"}>
        {amount === null ? (
          <span className="text-base font-normal text-muted">Not recorded</span>
        ) : (
          <Money amount={amount} currency={currency} />
        )}
      </Figure>
      {endedAt === null && <Pace batch={batch} />}
    </Card>
  );
}

function OutputNote({ tokens }: { tokens: number }) {
  return (
    <>
      and <Quantity value={tokens} /> output
    </>
  );
}

function Pace({ batch }: { batch: Batch }) {
  const { pace } = batch;
  const waits = pace?.waits_for ? `Waits for ${describeBatchWait(pace.waits_for)}` : "Waits for nothing";
  const notes = [pace ? waits : "Waits to begin", describeTimeLeft(batch)].filter((note) => note !== null);
  return (
    <Figure label="Pace" note={`${notes.join(". ")}.`}>
      <Quantity value={pace?.lines_per_minute ?? 0} />{" "}
      <span className="text-base font-normal text-muted">lines/min</span>
    </Figure>
  );
}
