import type pg from "pg";
import { toNano } from "@/lib/money/amount";
import { type ChargeBasis, chargeBases } from "../ledger/funds";
import {
  CHAINED_COLUMNS,
  type ChainedEntry,
  type ChainedValues,
  hashBatch,
  hashBatchOfHashes,
  toChainedValues,
} from "../ledger/ledger-row";
import type { Reconciliation, ReconciliationCheck } from "../ledger/reconciliation";
import {
  LEDGER_START,
  type LedgerPoint,
  parsePoint,
  writePoint,
} from "../ledger/writer/ledger-checkpoint.sql";
import type { Account } from "../ledger/writer/ledger-statements.sql";
import { CHARGES_ARE_EXACT, type Charge, findChargeFault, HELD_IS_THE_SUM } from "./checks/call-checks";
import { formatCount, formatNano } from "./checks/check";
import { LEDGER_GUARDS } from "./checks/ledger-checks";
import { checkMoney } from "./postgres/money-checks.sql";
import { byNumber, describeCheck } from "./reconcile";

/** Entries read at a time. They never change, so the steps need no snapshot, which would keep dead rows of others. */
const STEP = 5_000;

interface AccountRow {
  readonly name: Account;
  readonly balance: bigint;
  readonly held: bigint;
}

/** What the books say of themselves at one moment. */
interface Book {
  readonly seq: bigint;
  readonly accounts: readonly AccountRow[];
  readonly held: bigint;
  /** The triggers that refuse changes of entries. */
  readonly guards: readonly string[];
  readonly spentTwice: readonly { readonly request_id: string; readonly kind: string; readonly n: bigint }[];
}

type Entry = ChainedEntry &
  Omit<Charge, "amount"> & {
    readonly seq: bigint;
    readonly id: string;
    readonly kind: string;
    readonly amount: bigint;
    readonly from_account: Account;
    readonly to_account: Account;
    readonly balance_after: bigint | null;
    readonly hash: Uint8Array | null;
    readonly basis: ChargeBasis | null;
  };

interface ProveOptions {
  readonly nowMs: number;
  /** Whether to start at the first entry instead of where the last proof ended. */
  readonly isWhole: boolean;
  /** @returns whether to continue. */
  progress(verified: number, entries: number): boolean;
}

/**
 * Proves the books on PostgreSQL while any number of gateways write: what they say at one moment is compared with the
 * entries up to it. If no fault is found, the next proof starts after this one's last entry.
 * @param pool that returns integers as bigint.
 */
export async function provePostgres(
  pool: pg.Pool,
  { nowMs, isWhole, progress }: ProveOptions,
): Promise<Omit<Reconciliation, "tookMs">> {
  const first = isWhole ? LEDGER_START : await readPoint(pool);
  const book = await readBook(pool, first.seq);
  const walk = new EntryWalk(first);
  let goesOn = true;
  for (let from = first.seq; from < book.seq && goesOn; from += BigInt(STEP)) {
    const to = from + BigInt(STEP) < book.seq ? from + BigInt(STEP) : book.seq;
    for (const entry of await readEntries(pool, from, to)) walk.add(entry);
    goesOn = progress(Number(to), Number(book.seq));
  }
  const range = { from: first, to: book.seq };
  const checks = [...listChecks(book, walk), ...(await checkMoney(pool, nowMs, range))].toSorted(byNumber);
  const { point } = walk;
  if (goesOn && checks.every(({ faults }) => faults.length === 0)) await writePointTo(pool, point);
  return {
    startedAtMs: nowMs,
    entries: Number(book.seq),
    entriesBefore: Number(first.seq),
    checks,
    charged: chargeBases.map((basis) => ({
      basis,
      calls: Number(point.charges[basis].calls),
      amount: toNano(point.charges[basis].amount),
    })),
    variance: toNano(-point.accounts.provider_variance),
  };
}

async function readPoint(pool: pg.Pool): Promise<LedgerPoint> {
  const { rows } = await pool.query<{ point: string }>("SELECT point::text FROM ledger_checkpoint");
  return rows[0] ? parsePoint(rows[0].point) : LEDGER_START;
}

async function writePointTo(pool: pg.Pool, point: LedgerPoint): Promise<void> {
  await pool.query(
    `INSERT INTO ledger_checkpoint (one, point) VALUES (1, $1)
     ON CONFLICT (one) DO UPDATE SET point = excluded.point`,
    [writePoint(point)],
  );
}

/** Reads everything in one statement, which sees one moment. */
async function readBook(pool: pg.Pool, from: bigint): Promise<Book> {
  const { rows } = await pool.query<{ book: { [Field in keyof Book]: unknown } }>(`SELECT json_build_object(
    'seq', (SELECT coalesce(max(seq), 0)::text FROM ledger_entries),
    'accounts', (SELECT json_agg(json_build_object('name', name, 'balance', balance::text, 'held', held::text)) FROM accounts),
    'held', (SELECT coalesce(sum(amount), 0)::text FROM holds),
    'guards', (SELECT coalesce(json_agg(tgname), '[]') FROM pg_trigger
      WHERE tgrelid = 'ledger_entries'::regclass AND tgenabled <> 'D'),
    'spentTwice', (SELECT coalesce(json_agg(doubles), '[]') FROM (SELECT request_id, kind, count(*)::text AS n
      FROM ledger_entries WHERE seq > ${from} AND request_id IS NOT NULL AND kind <> 'correction'
      GROUP BY request_id, kind HAVING count(*) > 1) AS doubles)) AS book`);
  const book = rows[0]?.book;
  if (!book) throw new Error("The books can't be read");
  const accounts = book.accounts as { name: Account; balance: string; held: string }[];
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
    `SELECT seq, from_account, to_account, balance_after, hash, ${CHAINED_COLUMNS.join(", ")},
       CASE kind WHEN 'charge' THEN coalesce((SELECT amount FROM ledger_entries AS beyond
         WHERE beyond.kind = 'provider_variance' AND beyond.request_id = entry.request_id), 0) END AS variance
     FROM ledger_entries AS entry WHERE seq > $1 AND seq <= $2 ORDER BY seq`,
    [from, to],
  );
  return rows;
}

/** Follows the entries in their order: numbers, sums, balances and the chain of hashes. */
class EntryWalk {
  readonly wrongCharges: string[] = [];
  readonly wrongBalances: string[] = [];
  missing = 0n;
  brokenBatch: string | null = null;
  #seq: bigint;
  #atMs: number;
  #hash: Uint8Array;
  #batch: ChainedValues[] = [];
  readonly #accounts: Record<Account, bigint>;
  readonly #charges: Record<ChargeBasis, { calls: bigint; amount: bigint }>;

  constructor({ seq, atMs, hash, accounts, charges }: LedgerPoint) {
    this.#seq = seq;
    this.#atMs = atMs;
    this.#hash = hash;
    this.#accounts = { ...accounts };
    this.#charges = { ...charges };
  }

  /** The last entry, with the totals of all up to it. */
  get point(): LedgerPoint {
    return {
      seq: this.#seq,
      atMs: this.#atMs,
      hash: this.#hash,
      accounts: this.#accounts,
      charges: this.#charges,
    };
  }

  add(entry: Entry): void {
    const { seq, id, kind, amount, from_account, to_account, balance_after } = entry;
    this.missing += seq - this.#seq - 1n;
    this.#seq = seq;
    this.#atMs = Number(entry.created_at_ms);
    this.#accounts[from_account] -= amount;
    this.#accounts[to_account] += amount;
    const { balance } = this.#accounts;
    if (balance_after !== balance)
      this.wrongBalances.push(
        `${id} says that the balance came to ${balance_after === null ? "nothing" : formatNano(balance_after)}; the entries up to it make ${formatNano(balance)}.`,
      );
    if (kind === "charge") {
      const basis = entry.basis ?? "reported";
      const { calls, amount: charged } = this.#charges[basis];
      this.#charges[basis] = { calls: calls + 1n, amount: charged + amount };
      const fault = findChargeFault(entry);
      if (fault !== null) this.wrongCharges.push(fault);
    }
    this.#chain(entry);
  }

  get unchained(): number {
    return this.#batch.length;
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
  const { charges } = walk.point;
  const sum = accounts.reduce((total, { balance }) => total + balance, 0n);
  const posted = accounts.find(({ name }) => name === "balance")?.balance ?? 0n;
  const noted = accounts.find(({ name }) => name === "balance")?.held ?? 0n;
  const calls = chargeBases.reduce((total, basis) => total + charges[basis].calls, 0n);
  const entries = formatCount(seq - walk.missing, "entry", "entries");
  const check = (id: string, title: string, checked: string, faults: readonly string[]) =>
    describeCheck(`${id} ${title}`, { checked, faults });
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
      held > posted
        ? [`The holds exceed the balance by ${formatNano(held - posted)}. Record a payment.`]
        : [],
    ),
    describeCheck(CHARGES_ARE_EXACT, {
      checked: `${formatCount(calls, "charge")} calculated again`,
      faults: walk.wrongCharges,
    }),
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
      ...findWrongSums(book, walk),
      ...walk.wrongBalances,
    ]),
    check("I11", "no ledger entry was altered, and none is missing at the end", entries, [
      ...(walk.brokenBatch ? [`${walk.brokenBatch} Compare with a backup.`] : []),
      ...(walk.unchained > 0 ? [`The last ${walk.unchained} entries are in no batch.`] : []),
    ]),
    describeCheck(HELD_IS_THE_SUM, {
      checked: `${formatNano(noted)} held`,
      faults:
        held === noted
          ? []
          : [
              `The book notes ${formatNano(noted)} on hold, the holds make ${formatNano(held)}. Restore a backup.`,
            ],
    }),
  ];
}

function findWrongSums({ accounts }: Book, { point: { accounts: summed } }: EntryWalk): string[] {
  return accounts
    .filter(({ name, balance }) => balance !== summed[name])
    .map(
      ({ name, balance }) =>
        `The account ${name} says ${formatNano(balance)}, its entries add up to ${formatNano(summed[name])}. Restore a backup.`,
    );
}
