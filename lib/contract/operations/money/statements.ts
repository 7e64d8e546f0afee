import * as z from "zod/mini";
import { defineOperations } from "../../operation";
import { decimal, pageQuery, pageSchema, signedDecimal, unixSeconds } from "../../schema";
import { person } from "./pending-payment";

const statementStates = ["current", "open", "closed"] as const;

const head = {
  object: z.literal("statement"),
  /** The calendar month in UTC, "2026-10", which is also the statement's id. */
  id: z.string(),
  /** `current` until the month is over, then `open` until it is closed. */
  state: z.enum(statementStates),
  start_time: unixSeconds,
  /** Exclusive. */
  end_time: unixSeconds,
  currency: z.string(),
  /** `opening_balance` + `payments` − `charges` + `corrections` = `closing_balance`. */
  opening_balance: signedDecimal,
  payments: decimal,
  charges: decimal,
  /** The signed sum of the month's corrections: those of charges add to the balance, those of payments reduce it. */
  corrections: z.optional(signedDecimal),
  closing_balance: signedDecimal,
  /** The number of ledger entries in the month. */
  entries: z.int(),
  closed_at: z.nullable(unixSeconds),
  closed_by: z.nullable(person),
  /** SHA-256 of the closed statement's text, in hexadecimal; null until it is closed. */
  digest: z.nullable(z.string()),
};

const statementHead = z.object(head);
export type StatementHead = z.output<typeof statementHead>;

/** The charges of one project for one model. */
const line = z.object({
  project_id: z.string(),
  /** The name when the month was closed; the current name before that. */
  project_name: z.nullable(z.string()),
  model: z.string(),
  calls: z.int(),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  charges: decimal,
});
export type StatementLine = z.output<typeof line>;

const statement = z.object({
  ...head,
  organization: z.string(),
  payment_entries: z.array(
    z.object({
      id: z.string(),
      created_at: unixSeconds,
      reference: z.nullable(z.string()),
      amount: decimal,
    }),
  ),
  /** The corrections that were entered in the month. */
  correction_entries: z.optional(
    z.array(
      z.object({
        id: z.string(),
        created_at: unixSeconds,
        /** The signed change of the balance: negative for a correction of a payment. */
        amount: signedDecimal,
        reason: z.string(),
        /** The entry that it reverses, wholly or in part. It may belong to a closed month. */
        corrects: z.string(),
        corrected_kind: z.enum(["payment", "charge"]),
        corrected_at: unixSeconds,
        corrected_reference: z.nullable(z.string()),
        /** These are null for a correction of a payment. */
        project_id: z.nullable(z.string()),
        project_name: z.nullable(z.string()),
        model: z.nullable(z.string()),
      }),
    ),
  ),
  /** Sorted by project and model. */
  lines: z.array(line),
});
export type Statement = z.output<typeof statement>;

const path = "/organization/statements/{month}";

export const statementOperations = defineOperations(
  { surface: "v1 and origin", scope: "organization" },
  {
    listStatements: {
      method: "GET",
      path: "/organization/statements",
      permission: "api.ledger.read",
      summary:
        "Lists the months (UTC) from that of the first ledger entry on, newest first, with their opening and closing balances.",
      query: pageQuery,
      reply: pageSchema(statementHead),
    },
    retrieveStatement: {
      method: "GET",
      path,
      permission: "api.ledger.read",
      summary:
        "Returns the statement of a month: its payments, its corrections, and its charges by project and model.",
      reply: statement,
    },
    closeStatement: {
      method: "POST",
      effect: "acts",
      path: `${path}/close`,
      permission: "api.statements.write",
      summary:
        "Closes a month that is over, after every month before it: its statement never changes from then on. An entry that comes later counts in the next month.",
      reply: statement,
    },
  },
);
