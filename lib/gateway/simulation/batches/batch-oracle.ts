import type { BatchRecord } from "../../batches/batch-store.sql";
import type { AnswerCall } from "../../batches/lines/answer-line";
import { BrokenInvariant, ensure } from "../broken-invariant";
import type { SimulatedTaskStore } from "../tasks/simulated-task-store";
import type { SimulatedDisk } from "./simulated-disk";

/** A batch as it was created. */
export interface MadeBatch {
  readonly id: string;
  readonly lines: readonly string[];
  /** Whether its input was deleted from the disk: without it, what was charged last can't be told apart. */
  isInputLost: boolean;
}

interface Row {
  readonly id: string;
  readonly status: string;
  readonly completed: bigint;
  readonly failed: bigint;
  readonly read_lines: bigint;
  readonly output_bytes: bigint;
  readonly error_bytes: bigint;
  readonly output_file_id: string;
  readonly error_file_id: string;
  readonly charged: bigint;
  readonly output_tokens: bigint;
}

interface ResultLine {
  readonly custom_id: string;
  readonly response: {
    readonly status_code: number;
    readonly request_id: string;
    readonly body: {
      readonly choices?: [{ message: { content: string } }];
      readonly error?: { code: string };
    };
  } | null;
}

/** The statuses that may follow each status. */
const nextStatuses: Readonly<Record<string, readonly string[]>> = {
  in_progress: ["in_progress", "cancelling", "completed", "expired", "cancelled"],
  cancelling: ["cancelling", "cancelled", "expired", "completed"],
  completed: ["completed"],
  expired: ["expired"],
  cancelled: ["cancelled"],
};
const growing = ["completed", "failed", "read_lines", "output_bytes", "error_bytes", "charged"] as const;
/** The error of a line whose reply was lost after it was charged. */
const CHARGED = "idempotency_charged";

/** Compares batches with their files and the ledger, independently of the code that runs them. */
export class BatchOracle {
  readonly #before = new Map<string, Row>();

  constructor(
    private readonly store: SimulatedTaskStore,
    private readonly disk: SimulatedDisk,
    private readonly calls: LineOracle,
  ) {}

  /** Checks each batch against its former state. @throws BrokenInvariant */
  checkProgress(): void {
    for (const row of this.#rows()) {
      const rowBefore = this.#before.get(row.id);
      this.#before.set(row.id, row);
      if (!rowBefore) continue;
      const isLegal = nextStatuses[rowBefore.status]?.includes(row.status) ?? false;
      ensure(isLegal, "status", () => `${row.id} was ${rowBefore.status} and is ${row.status}`);
      for (const figure of growing)
        ensure(row[figure] >= rowBefore[figure], "progress", () => `${row.id}: its ${figure} shrank`);
    }
  }

  /** Checks batches that have ended. @throws BrokenInvariant */
  checkResults(batches: readonly MadeBatch[]): void {
    const chargesByLine = this.#chargesByLine();
    for (const row of this.#rows()) {
      const batch = batches.find(({ id }) => id === row.id);
      if (batch) this.#checkBatch(batch, row, chargesByLine);
    }
  }

  #checkBatch(
    { id, lines, isInputLost }: MadeBatch,
    row: Row,
    chargesByLine: ReadonlyMap<string, Charge[]>,
  ): void {
    const output = this.#results(row.output_file_id, row.output_bytes);
    const errors = this.#results(row.error_file_id, row.error_bytes);
    const customIds = [...output, ...errors].map((result) => result.custom_id);
    const different = new Set(customIds);
    ensure(different.size === customIds.length, "once", () => `${id}: a line has two results`);
    ensure(
      customIds.every((line) => lines.includes(line)),
      "own",
      () => `${id}: a result of no line of it`,
    );
    const isWhole = row.status === "cancelled" || customIds.length === lines.length;
    ensure(
      isWhole,
      "whole",
      () => `${id} is ${row.status}: ${customIds.length} results, ${lines.length} lines`,
    );
    const answeredErrors = errors.filter(({ response }) => response !== null);
    const counts = [row.completed, row.failed].map(Number);
    const isCounted = counts[0] === output.length && counts[1] === answeredErrors.length;
    ensure(
      isCounted,
      "counts",
      () => `${id}: ${counts} for ${output.length} and ${answeredErrors.length} results`,
    );
    for (const result of [...output, ...errors])
      this.#checkLine(result, chargesByLine.get(result.custom_id) ?? []);
    if (isInputLost) return;
    for (const line of lines.filter((name) => !different.has(name)))
      ensure(!chargesByLine.has(line), "charged", () => `${line} is charged, and has no result`);
    const charges = lines.flatMap((line) => chargesByLine.get(line) ?? []);
    const sum = charges.reduce((total, { amount }) => total + amount, 0n);
    ensure(sum === row.charged, "cost", () => `${id} says it cost ${row.charged}, and cost ${sum}`);
    const tokens = charges.reduce((total, { tokens: lineTokens }) => total + lineTokens, 0n);
    ensure(
      tokens === row.output_tokens,
      "usage",
      () => `${id} counts ${row.output_tokens} of ${tokens} tokens`,
    );
  }

  #checkLine({ custom_id, response }: ResultLine, charges: readonly Charge[]): void {
    const isGood = response?.status_code === 200;
    const isCharged = isGood || response?.body.error?.code === CHARGED;
    ensure(charges.length <= 1, "once", () => `${custom_id} is charged ${charges.length} times`);
    const [charge] = charges;
    ensure(charge !== undefined || !isCharged, "charged", () => `${custom_id} is answered, and not charged`);
    if (!charge) return;
    // A call whose silent process lost its hold is charged as interrupted, whatever its provider answers afterwards.
    const isDue = isCharged || charge.basis === "interrupted";
    ensure(isDue, "charged", () => `${custom_id} failed, and is charged`);
    const requestId = response?.request_id;
    ensure(
      requestId === charge.requestId,
      "named",
      () => `${custom_id} names ${requestId}, which has no charge`,
    );
    if (!isGood) return;
    const answerText = response.body.choices?.[0].message.content;
    ensure(answerText === `answer to ${custom_id}`, "own answer", () => `${custom_id} got "${answerText}"`);
  }

  #results(fileId: string, bytes: bigint): ResultLine[] {
    const file = this.disk.read(fileId);
    const isThere = file.byteLength >= Number(bytes);
    ensure(isThere, "files", () => `${fileId} has ${file.byteLength} bytes of ${bytes}`);
    const text = file.subarray(0, Number(bytes)).toString();
    try {
      return text
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line) as ResultLine);
    } catch {
      ensure(false, "files", () => `${fileId} is not JSON lines`);
    }
  }

  #chargesByLine(): ReadonlyMap<string, Charge[]> {
    const rows = this.store.ledger
      .query("SELECT request_id, amount, completion_tokens, basis FROM ledger_entries WHERE kind = 'charge'")
      .all() as { request_id: string; amount: bigint; completion_tokens: bigint; basis: string }[];
    const charges = new Map<string, Charge[]>();
    for (const { request_id: requestId, amount, completion_tokens: tokens, basis } of rows) {
      const line = this.calls.lineByRequest.get(requestId) ?? "";
      charges.set(line, [...(charges.get(line) ?? []), { requestId, amount, tokens, basis }]);
    }
    return charges;
  }

  #rows(): Row[] {
    return this.store.ledger.query("SELECT * FROM batches").all() as Row[];
  }
}

interface Charge {
  readonly requestId: string;
  readonly amount: bigint;
  readonly tokens: bigint;
  readonly basis: string;
}

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
