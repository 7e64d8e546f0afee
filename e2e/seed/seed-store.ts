import type { Database } from "bun:sqlite";
import { DAY_MS } from "@/lib/contract/durations";
import { AuditTrail } from "@/lib/gateway/changes/audit/audit-trail.sql";
import { paymentChange } from "@/lib/gateway/ledger/payments/posting";
import { NANO_PER_UNIT, type Nano, toNano } from "@/lib/money/amount";
import {
  KEYS_OF_PROJECT,
  keyIdAt,
  MEMBERS,
  MODELS,
  memberIdAt,
  modelIdAt,
  PROJECTS,
  projectIdAt,
  RATE,
  scalePricePer1m,
  seedCalls,
} from "../bench/log/seed-calls";

/** The price level, at which a call costs some tenths of a cent. */
export const PRICE_SCALE = 20;
/** The mean cost of a call, in whole units. */
const MEAN_COST = 0.0021;
/** The balance that is left of the payments, in nano-units. */
const BALANCE_LEFT = 442_180_000_000n;

const projectNames = ["Support bot", "Search", "Data science", "Marketing", "Internal tools", "Evaluations"];
const keyNames = ["production", "nightly-eval"];
const decimal = (nano: number) => (nano / 1e9).toFixed(9).replace(/\.?0+$/, "");

/** Inserts 500 projects with two keys each (whose secrets nobody has), 200 sandbox models and 1,000 members. */
export function insertObjects(sqlite: Database, atMs: number): void {
  const insert = (table: string, row: Record<string, string | number>) =>
    sqlite
      .query(
        `INSERT INTO ${table} (${Object.keys(row).join(", ")}) VALUES (${Object.keys(row)
          .map(() => "?")
          .join(", ")})`,
      )
      .run(...Object.values(row));
  const created = { created_at_ms: atMs };
  for (let index = 0; index < PROJECTS; index++) {
    const id = projectIdAt(index);
    insert("projects", { id, name: projectNames[index] ?? `Project ${index + 1}`, ...created });
    for (const [place, name] of keyNames.entries()) {
      const key = keyIdAt(index * KEYS_OF_PROJECT + place);
      insert("project_api_keys", {
        id: key,
        project_id: id,
        name,
        hash: `seeded ${key}`,
        last_four: "seed",
        ...created,
      });
    }
  }
  for (let index = 0; index < MODELS; index++) {
    insert("models", {
      id: modelIdAt(index),
      family: "chat",
      rate: decimal(RATE),
      input_per_1m: decimal(scalePricePer1m(PRICE_SCALE)),
      output_per_1m: decimal(scalePricePer1m(PRICE_SCALE)),
      max_output_tokens: 4_096,
      routes: JSON.stringify([{ provider: "sandbox", model: "sandbox-echo" }]),
      ...created,
    });
  }
  for (let index = 0; index < MEMBERS; index++) {
    const id = memberIdAt(index);
    insert("users", {
      id,
      email: `member-${index + 1}@example.com`,
      name: `Member ${index + 1}`,
      ...created,
    });
  }
}

/** Computes the balance after each entry, from the entries themselves. */
const NOTE_BALANCES = `UPDATE ledger_entries SET balance_after = folded.balance FROM (
    SELECT seq, sum(CASE 'balance' WHEN to_account THEN amount WHEN from_account THEN -amount ELSE 0 END)
      OVER (ORDER BY seq ROWS UNBOUNDED PRECEDING) AS balance FROM ledger_entries
  ) AS folded WHERE folded.seq = ledger_entries.seq AND balance_after IS NULL`;

/**
 * Inserts calls over 90 days, a payment before them that about covers them, and one after them that leaves the balance.
 * The same `calls` gives the same rows, shifted to end at `untilMs`.
 */
export function insertCalls(sqlite: Database, calls: number, untilMs: number): void {
  const first = paymentBefore(calls);
  insertPayment(sqlite, {
    id: "txn_seeded_1",
    amount: first,
    reference: "PO-1041",
    atMs: untilMs - 91 * DAY_MS,
  });
  seedCalls(sqlite, calls, { untilMs, priceScale: PRICE_SCALE });
  const spent = BigInt(
    sqlite
      .query<{ amount: string }, []>(
        "SELECT cast(coalesce(sum(amount), 0) AS text) AS amount FROM ledger_entries WHERE kind = 'charge'",
      )
      .get()?.amount ?? "0",
  );
  const last = toNano(spent + BALANCE_LEFT - first);
  insertPayment(sqlite, { id: "txn_seeded_2", amount: last, reference: "PO-1042", atMs: untilMs });
  const add = (account: string, amount: bigint) =>
    sqlite.run("UPDATE accounts SET balance = balance + ? WHERE name = ?", [amount, account]);
  add("balance", BALANCE_LEFT);
  add("charges", spent);
  add("payments", -(spent + BALANCE_LEFT));
  sqlite.run(NOTE_BALANCES);
  // These entries were not written in chained batches, so the chain starts after them.
  sqlite.run("UPDATE ledger_chain SET starts_after = (SELECT max(seq) FROM ledger_entries)");
}

/** More than the calls cost by a little, so that no month of the seeded data ends below zero. */
function paymentBefore(calls: number): Nano {
  const units = Math.ceil(calls * MEAN_COST * 1.01) + 10;
  return toNano(BigInt(units) * NANO_PER_UNIT);
}

interface Payment {
  readonly id: string;
  readonly amount: Nano;
  readonly reference: string;
  readonly atMs: number;
}

function insertPayment(sqlite: Database, { id, amount, reference, atMs }: Payment): void {
  sqlite.run(
    "INSERT INTO ledger_entries (id, kind, amount, created_at_ms, reference) VALUES (?, 'payment', ?, ?, ?)",
    [id, amount, atMs, reference],
  );
  const event = { type: "payment.created", atMs, requestId: null, ip: null, actor: null } as const;
  new AuditTrail(sqlite).add(event, paymentChange({ id, amount, createdAtMs: atMs, reference }));
}
