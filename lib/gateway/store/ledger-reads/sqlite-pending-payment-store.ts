import { sql } from "kysely";
import { toNano } from "@/lib/money/amount";
import type {
  PaymentPerson,
  PendingPayment,
  PendingPaymentStore,
} from "../../balance/payments/pending-payment";
import type { Reads } from "../database";
import { toCorrection } from "../ledger-writer/stored-pending-payments";
import { listById } from "../list-by-id";
import type { Tables } from "../schema";
import { within } from "../transactions";

const asText = <Name extends string>(column: string, name: Name) =>
  sql<string>`cast(${sql.ref(column)} as text)`.as(name);

export function createSqlitePendingPaymentStore(reads: Reads): PendingPaymentStore {
  const selectPayments = () =>
    reads.selectFrom("pending_payments").selectAll().select(asText("amount", "exact_amount"));
  return {
    pages(status) {
      const query = status ? selectPayments().where("status", "=", status) : selectPayments();
      return listById(query, { id: "id", defaultOrder: "desc" }, toPending);
    },
    async find(id) {
      const row = await selectPayments().where("id", "=", id).executeTakeFirst();
      return row ? toPending(row) : null;
    },
    async decline(transaction, id, { atMs, person, reason }) {
      const { numUpdatedRows } = await within(transaction)
        .updateTable("pending_payments")
        .set({
          status: "declined",
          decided_at_ms: atMs,
          decider_kind: person.kind,
          decider_id: person.id,
          decider_name: person.name,
          reason,
        })
        .where("id", "=", id)
        .where("status", "=", "pending")
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },
    async approvalAbove() {
      const row = await reads
        .selectFrom("payment_approval")
        .select(sql<string | null>`cast(above as text)`.as("above"))
        .executeTakeFirst();
      const above = row?.above ?? null;
      return above === null ? null : toNano(BigInt(above));
    },
    async saveApprovalAbove(transaction, above, updated_at_ms) {
      const values = { above, updated_at_ms };
      await within(transaction)
        .insertInto("payment_approval")
        .values({ one: 1, ...values })
        .onConflict((conflict) => conflict.column("one").doUpdateSet(values))
        .execute();
    },
  };
}

function toPending(
  row: Omit<Tables["pending_payments"], "amount"> & { exact_amount: string },
): PendingPayment {
  const { decided_at_ms: atMs, decider_kind: kind, decider_id: id, decider_name: name } = row;
  const isDecided = atMs !== null && kind !== null && id !== null && name !== null;
  return {
    id: row.id,
    amount: toNano(BigInt(row.exact_amount)),
    reference: row.reference,
    note: row.note,
    correction: toCorrection(row),
    createdAtMs: row.created_at_ms,
    maker: { kind: row.maker_kind, id: row.maker_id, name: row.maker_name } satisfies PaymentPerson,
    status: row.status,
    decision: isDecided
      ? { atMs, person: { kind, id, name }, reason: row.reason, entryId: row.entry_id }
      : null,
  };
}
