import * as z from "zod/mini";
import { decimal, unixSeconds } from "../../schema";

export const pendingPaymentStatuses = ["pending", "approved", "declined"] as const;

/** Who recorded or decided a payment: a member, or a key that belongs to no member. */
export const person = z.object({
  kind: z.enum(["user", "admin_api_key", "project_api_key"]),
  id: z.string(),
  name: z.string(),
});

/** A payment or a correction above the approval amount. It changes no balance until a second person approves it. */
export const pendingPayment = z.object({
  object: z.literal("pending_payment"),
  id: z.string(),
  status: z.enum(pendingPaymentStatuses),
  amount: decimal,
  currency: z.string(),
  reference: z.nullable(z.string()),
  note: z.optional(z.nullable(z.string())),
  paid_on: z.optional(z.nullable(z.string())),
  /** For a correction, the entry that it reverses, wholly or in part, and the reason; null for payments. */
  corrects: z.optional(z.nullable(z.string())),
  correction_reason: z.optional(z.nullable(z.string())),
  /** For a change of the approval amount, which moves no money: the amount that it sets; null for payments. */
  sets_approval: z.optional(z.nullable(z.object({ above: z.nullable(decimal) }))),
  /** Why the caller can't approve it, and until when; null if they can, or it was decided. */
  approval_refusal: z.optional(z.nullable(z.object({ message: z.string(), until: z.nullable(unixSeconds) }))),
  created_at: unixSeconds,
  recorded_by: person,
  decided_at: z.nullable(unixSeconds),
  decided_by: z.nullable(person),
  /** Why it was declined; null otherwise. */
  reason: z.nullable(z.string()),
  /** The ledger entry, once it is approved; null otherwise. */
  entry_id: z.nullable(z.string()),
});
export type PendingPayment = z.output<typeof pendingPayment>;
