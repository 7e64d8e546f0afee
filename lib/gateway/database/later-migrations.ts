import { sql } from "kysely";
import { addTable, type Migration, replaceTrigger } from "./migration";
import { responseCallbackTable } from "./tables/conversations";

/** Whether a project refuses calls whose tools a provider would run without a price. */
const hostedTools: Migration = {
  name: "0285-hosted-tools",
  // A version that ignores it leaves out what it should refuse.
  async up(queries) {
    await sql`ALTER TABLE projects ADD COLUMN hosted_tools TEXT`.execute(queries);
  },
};

/** What doesn't change in an entry: all but its trace, which is deleted, and its balance, which is set once. */
const FIXED = `seq, id, kind, amount, created_at_ms, reference, basis, request_id, project_id, key_id, model, prompt_tokens,
  completion_tokens, input_per_1m, output_per_1m, rate, held, started_at_ms, stream, outcome, status, estimated_tokens,
  first_byte_ms, duration_ms, hash, provider, cached_tokens, unit, units, unit_price, note, corrects, reason, batch_id,
  audio, counted_tokens, classes, paid_on`;

/** The day on which a payment was paid. */
const paymentDays: Migration = {
  name: "0286-payment-days",
  async up(queries) {
    for (const paid of ["ledger_entries", "pending_payments"])
      await sql.raw(`ALTER TABLE ${paid} ADD COLUMN paid_on TEXT`).execute(queries);
    await replaceTrigger(queries, "ledger_entries", "ledger_entries_are_not_changed", {
      on: `BEFORE UPDATE OF ${FIXED}`,
      refuse: "ledger entries are immutable",
    });
  },
};

const responseCallbacks: Migration = {
  name: "0287-response-callbacks",
  addsOnly: true,
  up: (queries) => addTable(queries, responseCallbackTable),
};

/** The migrations after those of `migrations.ts`, in the order in which they run. */
export const laterMigrations: readonly Migration[] = [hostedTools, paymentDays, responseCallbacks];
