import { type ChangeContext, type ChangeRequest, change } from "../changes/change";
import type { Clock } from "../effects";
import { conflict } from "../refusal";
import type { BatchRecord, BatchStore } from "./batch-store";

export interface CancelBatchContext extends ChangeContext {
  readonly batches: Pick<BatchStore, "find" | "requestCancel">;
  readonly effects: { readonly clock: Clock };
  /** Starts no further lines of a batch. */
  stopBatch(id: string): void;
}

/**
 * Requests the cancellation of a batch, which ends once its lines that are being answered are. A repeated request
 * changes nothing.
 * @param findBatch finds the batch if the caller may cancel it. It is called within the transaction.
 * @throws Refusal 409 for a batch that has ended.
 */
export async function cancelBatch(
  context: CancelBatchContext,
  request: ChangeRequest,
  findBatch: () => Promise<BatchRecord>,
): Promise<BatchRecord> {
  const { batches, effects } = context;
  const batch = await change(context, request, async (transaction) => {
    const found = await findBatch();
    refuseEnded(found);
    await batches.requestCancel(transaction, found.id, effects.clock.nowMs());
    return found;
  });
  context.stopBatch(batch.id);
  return (await batches.find(batch.id)) ?? batch;
}

function refuseEnded({ id, status, endedAtMs }: BatchRecord): void {
  if (endedAtMs === null) return;
  throw conflict("batch_id", `The batch "${id}" has ended: it is ${status}.`, "batch_ended");
}
