import { sql } from "kysely";
import { type Nano, toNano, ZERO } from "@/lib/money/amount";
import { type Transaction, within } from "../../changes/transactions.sql";
import type { Reads } from "../../database/database";
import { listById } from "../../database/list-pages";
import type { Tables } from "../../database/schema";
import type { PagedList } from "../../lists/paged-list";
import { toCorrection } from "../writer/stored-payments.sql";
import type { PaymentPerson, PendingPayment } from "./posting";

const asText = <Name extends string>(column: string, name: Name) =>
  sql<string>`cast(${sql.ref(column)} as text)`.as(name);

export type PendingPaymentStore = ReturnType<typeof createPendingPaymentStore>;

export function createPendingPaymentStore(reads: Reads) {
  const selectPayments = () =>
    reads
      .selectFrom("pending_payments")
      .selectAll()
      .select([asText("amount", "exact_amount"), asText("approval_above", "exact_above")]);
  return {
    /** Newest first. */
    pages(status: PendingPayment["status"] | undefined): PagedList<PendingPayment> {
      const query = status ? selectPayments().where("status", "=", status) : selectPayments();
      return listById(query, { id: "id", defaultOrder: "desc" }, toPending);
    },
    async find(id: string): Promise<PendingPayment | null> {
      const row = await selectPayments().where("id", "=", id).executeTakeFirst();
      return row ? toPending(row) : null;
    },
    /** @returns false if it was already decided. */
    async decline(
      transaction: Transaction,
      id: string,
      { atMs, person, reason }: { atMs: number; person: PaymentPerson; reason: string },
    ): Promise<boolean> {
      const { numUpdatedRows } = await within(transaction)
        .updateTable("pending_payments")
        .set({
          status: "declined",
          ...decidedBy(person, atMs),
          reason,
        })
        .where("id", "=", id)
        .where("status", "=", "pending")
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },
    /** The amount above which a payment needs approval; null if no payment does. */
    async approvalAbove(): Promise<Nano | null> {
      const row = await reads
        .selectFrom("payment_approval")
        .select(sql<string | null>`cast(above as text)`.as("above"))
        .executeTakeFirst();
      return parseNano(row?.above ?? null);
    },
    /** Since when payments have needed approval without a gap; null if none does. */
    async approvalSince(): Promise<number | null> {
      const row = await reads.selectFrom("payment_approval").select("since_ms").executeTakeFirst();
      return row?.since_ms ?? null;
    },
    /** What a member or key, and those they stand behind, recorded since then without approval. */
    async sumRecorded(payerId: string, sinceMs: number): Promise<Nano> {
      const row = await reads
        .selectFrom("unapproved_payments")
        .select(sql<string | null>`cast(sum(amount) as text)`.as("amount"))
        .where("payer_id", "=", payerId)
        .where("created_at_ms", ">", sinceMs)
        .executeTakeFirst();
      return parseNano(row?.amount ?? null) ?? ZERO;
    },
    /** The change of the approval amount that is pending; null if there is none. */
    async findApprovalChange(): Promise<PendingPayment | null> {
      const row = await selectPayments()
        .where("status", "=", "pending")
        .where("sets_approval", "=", 1)
        .executeTakeFirst();
      return row ? toPending(row) : null;
    },
    ...approvalWrites(),
  };
}

function approvalWrites() {
  return {
    async saveApprovalAbove(
      transaction: Transaction,
      { above, sinceMs, atMs }: { above: Nano | null; sinceMs: number | null; atMs: number },
    ): Promise<void> {
      const values = { above, since_ms: sinceMs, updated_at_ms: atMs };
      await within(transaction)
        .insertInto("payment_approval")
        .values({ one: 1, ...values })
        .onConflict((conflict) => conflict.column("one").doUpdateSet(values))
        .execute();
    },
    /** Stores a change of the approval amount, which waits for a second person. */
    async insertApprovalChange(
      transaction: Transaction,
      {
        id,
        createdAtMs,
        maker,
        above,
      }: Pick<PendingPayment, "id" | "createdAtMs" | "maker"> & { readonly above: Nano | null },
    ): Promise<void> {
      await within(transaction)
        .insertInto("pending_payments")
        .values({
          id,
          amount: 0n,
          created_at_ms: createdAtMs,
          maker_kind: maker.kind,
          maker_id: maker.id,
          maker_name: maker.name,
          status: "pending",
          sets_approval: 1,
          approval_above: above,
        })
        .execute();
    },
    /** @returns false if it was already decided. */
    async approveApprovalChange(
      transaction: Transaction,
      id: string,
      { atMs, person }: { atMs: number; person: PaymentPerson },
    ): Promise<boolean> {
      const { numUpdatedRows } = await within(transaction)
        .updateTable("pending_payments")
        .set({ status: "approved", ...decidedBy(person, atMs) })
        .where("id", "=", id)
        .where("status", "=", "pending")
        .where("sets_approval", "=", 1)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },
  };
}

function decidedBy({ kind, id, name }: PaymentPerson, atMs: number) {
  return { decided_at_ms: atMs, decider_kind: kind, decider_id: id, decider_name: name };
}

function parseNano(text: string | null): Nano | null {
  return text === null ? null : toNano(BigInt(text));
}

function toPending(
  row: Omit<Tables["pending_payments"], "amount"> & { exact_amount: string; exact_above: string | null },
): PendingPayment {
  const { decided_at_ms: atMs, decider_kind: kind, decider_id: id, decider_name: name } = row;
  const isDecided = atMs !== null && kind !== null && id !== null && name !== null;
  return {
    id: row.id,
    amount: toNano(BigInt(row.exact_amount)),
    reference: row.reference,
    note: row.note,
    paidOn: row.paid_on,
    correction: toCorrection(row),
    approvalChange: row.sets_approval === 1 ? { above: parseNano(row.exact_above) } : null,
    createdAtMs: row.created_at_ms,
    maker: { kind: row.maker_kind, id: row.maker_id, name: row.maker_name } satisfies PaymentPerson,
    status: row.status,
    decision: isDecided
      ? { atMs, person: { kind, id, name }, reason: row.reason, entryId: row.entry_id }
      : null,
  };
}
