import type pg from "pg";
import { type Nano, toNano } from "@/lib/money/amount";
import { type ChargeBasis, chargeBases } from "../ledger/funds";
import {
  CHAINED_COLUMNS,
  type ChainedEntry,
  type ChainedValues,
  FIRST_BATCH_HASH,
  hashBatch,
  hashBatchOfHashes,
  toChainedValues,
} from "../ledger/ledger-row";
import type { Reconciliation, ReconciliationCheck } from "../ledger/reconciliation";
import { limitFaults } from "./checks/check";
import { LEDGER_GUARDS } from "./checks/ledger-checks";
import { formatCount } from "./format-count";
import { formatNano } from "./format-nano";

/** Entries read at a time. They never change, so the steps need no snapshot, which would keep dead rows of others. */
const STEP = 5_000;

interface Account {
  readonly name: string;
  readonly balance: bigint;
  readonly held: bigint;
}

/** What the books say of themselves at one moment. */
interface Book {
  readonly seq: bigint;
  readonly accounts: readonly Account[];
  readonly held: bigint;
  /** The triggers that refuse changes of entries. */
  readonly guards: readonly string[];
  readonly spentTwice: readonly { readonly request_id: string; readonly kind: string; readonly n: bigint }[];
}

type Entry = ChainedEntry & {
  readonly seq: bigint;
  readonly id: string;
  readonly kind: string;
  readonly amount: bigint;
  readonly from_account: string;
  readonly to_account: string;
  readonly balance_after: bigint | null;
  readonly hash: Uint8Array | null;
  readonly basis: ChargeBasis | null;
};

/**
 * Proves the books on PostgreSQL from the first entry on, while any number of gateways write: what they say at one
 * moment is compared with the entries up to it.
 * @param pool that returns integers as bigint.
 */
export async function provePostgres(
  pool: pg.Pool,
  nowMs: number,
  progress: (verified: number, entries: number) => boolean,
): Promise<Omit<Reconciliation, "tookMs">> {
  const book = await readBook(pool);
  const walk = new EntryWalk();
  for (let from = 0n; from < book.seq; from += BigInt(STEP)) {
    const to = from + BigInt(STEP) < book.seq ? from + BigInt(STEP) : book.seq;
    for (const entry of await readEntries(pool, from, to)) walk.add(entry);
    if (!progress(Number(to), Number(book.seq))) break;
  }
  const { charges, accounts } = walk;
  return {
    startedAtMs: nowMs,
    entries: Number(book.seq),
    entriesBefore: 0,
    checks: listChecks(book, walk),
    charged: chargeBases.map((basis) => ({ basis, ...charges[basis] })),
    variance: toNano(-(accounts.get("provider_variance") ?? 0n)),
  };
}

/** Reads everything in one statement, which sees one moment. */
async function readBook(pool: pg.Pool): Promise<Book> {
  const { rows } = await pool.query<{ book: { [Field in keyof Book]: unknown } }>(`SELECT json_build_object(
    'seq', (SELECT coalesce(max(seq), 0)::text FROM ledger_entries),
    'accounts', (SELECT json_agg(json_build_object('name', name, 'balance', balance::text, 'held', held::text)) FROM accounts),
    'held', (SELECT coalesce(sum(amount), 0)::text FROM holds),
    'guards', (SELECT coalesce(json_agg(tgname), '[]') FROM pg_trigger
      WHERE tgrelid = 'ledger_entries'::regclass AND tgenabled <> 'D'),
    'spentTwice', (SELECT coalesce(json_agg(doubles), '[]') FROM (SELECT request_id, kind, count(*)::text AS n
      FROM ledger_entries WHERE request_id IS NOT NULL AND kind <> 'correction'
      GROUP BY request_id, kind HAVING count(*) > 1) AS doubles)) AS book`);
  const book = rows[0]?.book;
  if (!book) throw new Error("The books can't be read");
  const accounts = book.accounts as { name: string; balance: string; held: string }[];
  const doubles = book.spentTwice as { request_id: string; kind: string; n: string }[];
  return {
    seq: BigInt(String(book.seq)),
    accounts: accounts.map(({ name, balance, held }) => ({
      name,
      balance: BigInt(balance),
      held: BigInt(held),
    })),
    held: BigInt(String(book.held)),
    guards: book.guards as string[],
    spentTwice: doubles.map(({ n, ...double }) => ({ ...double, n: BigInt(n) })),
  };
}

async function readEntries(pool: pg.Pool, from: bigint, to: bigint): Promise<readonly Entry[]> {
  const { rows } = await pool.query<Entry>(
    `SELECT seq, from_account, to_account, balance_after, hash, ${CHAINED_COLUMNS.join(", ")} FROM ledger_entries
     WHERE seq > $1 AND seq <= $2 ORDER BY seq`,
    [from, to],
  );
  return rows;
}

const NO_CHARGES = { calls: 0, amount: toNano(0n) };

/** Follows the entries in their order: numbers, sums, balances and the chain of hashes. */
class EntryWalk {
  readonly accounts = new Map<string, bigint>();
  readonly charges: Record<ChargeBasis, { calls: number; amount: Nano }> = {
    reported: NO_CHARGES,
    estimated: NO_CHARGES,
    interrupted: NO_CHARGES,
  };
  readonly wrongBalances: string[] = [];
  missing = 0n;
  brokenBatch: string | null = null;
  #seq = 0n;
  #hash: Uint8Array = FIRST_BATCH_HASH;
  #batch: ChainedValues[] = [];

  add(entry: Entry): void {
    const { seq, id, kind, amount, from_account, to_account, balance_after } = entry;
    this.missing += seq - this.#seq - 1n;
    this.#seq = seq;
    this.#post(from_account, -amount);
    this.#post(to_account, amount);
    const balance = this.accounts.get("balance") ?? 0n;
    if (balance_after !== balance)
      this.wrongBalances.push(
        `${id} says that the balance came to ${balance_after === null ? "nothing" : formatNano(balance_after)}; the entries up to it make ${formatNano(balance)}.`,
      );
    if (kind === "charge") {
      const basis = entry.basis ?? "reported";
      const { calls, amount: charged } = this.charges[basis];
      this.charges[basis] = { calls: calls + 1, amount: toNano(charged + amount) };
    }
    this.#chain(entry);
  }

  get unchained(): number {
    return this.#batch.length;
  }

  #post(account: string, amount: bigint): void {
    this.accounts.set(account, (this.accounts.get(account) ?? 0n) + amount);
  }

  #chain(entry: Entry): void {
    this.#batch.push(toChainedValues(entry));
    const { hash, seq, id } = entry;
    if (hash === null) return;
    const isIntact =
      Buffer.from(hash).equals(hashBatchOfHashes(this.#hash, this.#batch)) ||
      Buffer.from(hash).equals(hashBatch(this.#hash, this.#batch));
    if (!isIntact)
      this.brokenBatch ??= `The batch that ends with entry ${seq} (${id}) is not as it was written.`;
    [this.#hash, this.#batch] = [hash, []];
  }
}

function listChecks(book: Book, walk: EntryWalk): ReconciliationCheck[] {
  const { accounts, held, seq } = book;
  const sum = accounts.reduce((total, { balance }) => total + balance, 0n);
  const posted = accounts.find(({ name }) => name === "balance")?.balance ?? 0n;
  const noted = accounts.find(({ name }) => name === "balance")?.held ?? 0n;
  const calls = chargeBases.reduce((total, basis) => total + walk.charges[basis].calls, 0);
  const entries = formatCount(seq - walk.missing, "entry", "entries");
  const check = (id: string, title: string, checked: string, faults: readonly string[]) => ({
    id,
    title,
    checked,
    faults: limitFaults(faults),
  });
  const wrongSums = accounts
    .filter(({ name, balance }) => balance !== (walk.accounts.get(name) ?? 0n))
    .map(
      ({ name, balance }) =>
        `The account ${name} says ${formatNano(balance)}, its entries add up to ${formatNano(walk.accounts.get(name) ?? 0n)}. Restore a backup.`,
    );
  return [
    check(
      "I1",
      "debits equal credits",
      formatCount(accounts.length, "account"),
      sum === 0n ? [] : [`The accounts add up to ${formatNano(sum)} instead of 0. Restore a backup.`],
    ),
    check(
      "I2",
      "the available balance is not below zero",
      `${formatNano(posted)} in the balance, ${formatNano(held)} on hold`,
      [
        ...(held > posted
          ? [`The holds exceed the balance by ${formatNano(held - posted)}. Record a payment.`]
          : []),
        ...(held === noted
          ? []
          : [
              `The book notes ${formatNano(noted)} on hold, the holds make ${formatNano(held)}. Restore a backup.`,
            ]),
      ],
    ),
    check("I5", "entries are immutable", `${entries} without a gap`, [
      ...(walk.missing > 0n
        ? [`${walk.missing} entries are missing below number ${seq}. Restore a backup.`]
        : []),
      ...LEDGER_GUARDS.filter((guard) => !book.guards.includes(guard)).map(
        (guard) => `The trigger ${guard} is gone: rows can be altered. Restore a backup.`,
      ),
    ]),
    check(
      "I6",
      "one charge per request",
      formatCount(calls, "charge"),
      book.spentTwice.map(
        ({ request_id, kind, n }) =>
          `${request_id} has ${n} entries of kind ${kind}: give back all but one by corrections of them.`,
      ),
    ),
    check("I7", "cached balances are the sums of the entries", formatCount(accounts.length, "account"), [
      ...wrongSums,
      ...walk.wrongBalances,
    ]),
    check("I11", "no ledger entry was altered, and none is missing at the end", entries, [
      ...(walk.brokenBatch ? [`${walk.brokenBatch} Compare with a backup.`] : []),
      ...(walk.unchained > 0 ? [`The last ${walk.unchained} entries are in no batch.`] : []),
    ]),
  ];
}
