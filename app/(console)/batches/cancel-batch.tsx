"use client";

import { ConfirmedAction } from "@/components/queries/actions/confirmed-action";
import { Button } from "@/components/ui/button";
import { Money } from "@/components/ui/values/money";
import type { Batch } from "@/lib/contract/operations/tasks/batches";
import { cancelBatch } from "./actions";
import { countLines, countLinesLeft } from "./describe-batch";

/** Cancels a batch after a confirmation that describes the effect. */
export function CancelBatch({ batch }: { batch: Batch }) {
  return (
    <ConfirmedAction
      renderButton={(ask) => (
        <Button className="w-fit" onClick={ask}>
          Cancel batch
        </Button>
      )}
      title="Cancel this batch?"
      confirmLabel="Cancel batch"
      cancelLabel="Keep batch"
      action={cancelBatch}
      input={{ batchId: batch.id }}
      refetch={["listBatches", "retrieveBatch"]}
      done={({ status }) => (status === "cancelled" ? "Batch canceled" : "The batch is being canceled")}
    >
      Of {countLines(batch.request_counts.total)}, {countLines(countLinesLeft(batch))} have no answer yet.
      Those that have begun are finished and charged; the others never begin and cost nothing. Answered lines
      stay in the results
      {batch.amount === null ? (
        "."
      ) : (
        <>
          , and the <Money amount={batch.amount} currency={batch.currency} /> charged so far stay charged.
        </>
      )}{" "}
      A canceled batch can’t be resumed.
    </ConfirmedAction>
  );
}
