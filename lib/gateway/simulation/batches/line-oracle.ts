import type { BatchRecord } from "../../batches/batch-store.sql";
import type { AnswerCall } from "../../batches/lines/answer-line";
import { BrokenInvariant } from "../broken-invariant";
import type { SimulatedTaskStore } from "../tasks/simulated-task-store";

/** Knows which call belongs to which line, and which process has been told of which cancellation. */
export class LineOracle {
  /** The line of each call, by the call's id. */
  readonly lineByRequest = new Map<string, string>();
  /** The first line that should not have begun. */
  fault: BrokenInvariant | null = null;
  readonly #told = new WeakMap<object, Set<string>>();

  constructor(private readonly store: SimulatedTaskStore) {}

  /** Tells the oracle that the process begins no line of the batch from now on. */
  tell(process: object, batchId: string): void {
    const announced = this.#told.get(process) ?? new Set();
    this.#told.set(process, announced.add(batchId));
  }

  /** @returns what to do once the process has learned that the effect is done. */
  claimEffect(process: object, name: string, args: readonly unknown[], result: unknown): () => void {
    if (name === "claim") {
      const canceled = (result as BatchRecord[]).filter(
        ({ cancelRequestedAtMs }) => cancelRequestedAtMs !== null,
      );
      return () => canceled.forEach(({ id }) => this.tell(process, id));
    }
    const id = String(args[0]);
    if (name !== "save" || !this.#isCanceled(id)) return () => {};
    // A process reads the cancellation after it has stored progress, so it knows at the latest when it stores the next.
    const soon = `${id} soon`;
    return () => this.tell(process, this.#told.get(process)?.has(soon) ? id : soon);
  }

  watch(process: object, answer: AnswerCall): AnswerCall {
    return (requestContext, caller, kind, ofBatch) => {
      const line = requestContext.request.headers.get("x-client-request-id") ?? "";
      this.lineByRequest.set(requestContext.requestId, line);
      if (this.#told.get(process)?.has(ofBatch.batchId))
        this.fault ??= new BrokenInvariant("canceled", `${line} began after its batch was canceled`);
      return answer(requestContext, caller, kind, ofBatch);
    };
  }

  #isCanceled(id: string): boolean {
    const callRow = this.store.ledger
      .query("SELECT cancel_requested_at_ms AS at FROM batches WHERE id = ?")
      .get(id) as { at: bigint | null } | null;
    return callRow !== null && callRow.at !== null;
  }
}
