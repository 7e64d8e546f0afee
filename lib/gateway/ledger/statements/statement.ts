import type { Nano } from "@/lib/money/amount";
import type { PaymentPerson } from "../payments/posting";

/** The sums of a calendar month (UTC): `opening` + `payments` − `charges` + `corrections` = `closing`. */
export interface StatementSums {
  /** "2026-10". */
  readonly month: string;
  /** The entries have numbers above `afterSeq`, up to and including `lastSeq`. */
  readonly afterSeq: number;
  readonly lastSeq: number;
  readonly opening: Nano;
  readonly payments: Nano;
  readonly charges: Nano;
  /** The signed sum of the month's corrections: those of charges add to the balance, those of payments reduce it. */
  readonly corrections: Nano;
  readonly closing: Nano;
}

/** The charges of one project for one model. */
export interface StatementLine {
  readonly projectId: string;
  /** The project's name when the month was closed; its present name while the month is open. */
  readonly projectName: string | null;
  readonly model: string;
  readonly calls: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly charges: Nano;
}

export interface StatementPayment {
  readonly id: string;
  readonly createdAtMs: number;
  readonly reference: string | null;
  readonly amount: Nano;
}

/** A correction entered in the month, with the entry it corrects, which may belong to a closed month. */
export interface StatementCorrection {
  readonly id: string;
  readonly createdAtMs: number;
  /** The signed change of the balance: negative for a correction of a payment. */
  readonly amount: Nano;
  readonly reason: string;
  readonly corrects: string;
  readonly correctedKind: "payment" | "charge";
  readonly correctedAtMs: number;
  readonly correctedReference: string | null;
  /** These are null for a correction of a payment. */
  readonly projectId: string | null;
  readonly projectName: string | null;
  readonly model: string | null;
}

export interface Closing {
  readonly atMs: number;
  readonly person: PaymentPerson;
  /** SHA-256 of the statement's text, in hexadecimal. */
  readonly digest: string;
}

export interface StatementHead extends StatementSums {
  /** Null while the month is open. */
  readonly closed: Closing | null;
}

export interface Statement extends StatementHead {
  readonly paymentEntries: readonly StatementPayment[];
  readonly correctionEntries: readonly StatementCorrection[];
  /** Sorted by project and model. */
  readonly lines: readonly StatementLine[];
}

export interface StatementReader {
  /** One for each month from that of the first entry to the present one, newest first. */
  listStatements(nowMs: number): Promise<readonly StatementHead[]>;
  /** Null for a month before the first entry, or after the present one. */
  findStatement(month: string, nowMs: number): Promise<Statement | null>;
}
