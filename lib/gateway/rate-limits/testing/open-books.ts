import pg from "pg";
import { builtInRateLimits, type RateLimitValues } from "@/lib/contract/calls/rate-limit-table";
import { type Nano, toNano } from "@/lib/money/amount";
import { createPostgresQueries, openPostgresPool } from "../../database/postgres";
import { testRequest } from "../../database/testing/open-temporary-database";
import { openTemporaryPostgres } from "../../database/testing/open-temporary-postgres";
import { PostgresFunds } from "../../ledger/ticks/postgres-funds";
import type { AdmissionRequest, Placed } from "../admissions";
import { PostgresAdmissions } from "../postgres-admissions";
import { draftTestHold } from "./draft-test-hold";

/** One nano-unit a token, so that amounts are token counts. */
const price = {
  inputPer1m: toNano(1_000_000n),
  outputPer1m: toNano(1_000_000n),
  rate: toNano(1_000_000_000n),
};

const clock = { nowMs: Date.now, monotonicMs: () => performance.now() };
export const UNLIMITED: RateLimitValues = {
  ...builtInRateLimits,
  max_requests_per_1_minute: 1e9,
  max_tokens_per_1_minute: 1e12,
};

/** A call of 10 tokens of prompt and 90 of output. */
export const testCall: AdmissionRequest = {
  projectId: "proj_1",
  keyId: "key_1",
  model: "sandbox-echo",
  limits: UNLIMITED,
  price,
  promptTokens: 10,
  maxOutputTokens: 90,
  expectedOutputTokens: 90,
  choices: 1,
};

/** One process on the books. */
export class TestProcess {
  #calls = 0;

  constructor(
    readonly name: string,
    readonly funds: PostgresFunds,
    readonly admissions: PostgresAdmissions,
  ) {}

  place(
    request: AdmissionRequest = testCall,
    hold: Parameters<typeof draftTestHold>[3] = {},
  ): Promise<Placed> {
    const id = `${this.name}${++this.#calls}`;
    return this.admissions.place(request, {
      draft: (decided, nowMs) => draftTestHold(id, decided, nowMs, hold),
    });
  }

  /** Charges a placed call. */
  async settle({ admission, draft }: Placed, completionTokens = 40): Promise<boolean> {
    const { promptTokens } = draft;
    const charge = toNano(BigInt(promptTokens + completionTokens));
    const wasOpen = await this.funds.settle({
      holdId: draft.id,
      entryId: draft.id.replace("hold", "txn"),
      varianceEntryId: `${draft.id.replace("hold", "txn")}v`,
      charge,
      usage: { promptTokens, completionTokens },
      basis: "reported",
      end: { ...ENDED, atMs: this.funds.nowMs(), outcome: "completed", status: 200 },
    });
    this.admissions.settle();
    void admission;
    return wasOpen;
  }

  async release(
    { admission, draft }: Placed,
    outcome: "unsent" | "provider_failed" = "unsent",
  ): Promise<boolean> {
    const end = { ...ENDED, atMs: this.funds.nowMs(), outcome, status: 502 };
    const wasOpen = await this.funds.release({ holdId: draft.id, end });
    await this.admissions.release(admission);
    return wasOpen;
  }
}

const ENDED = {
  stream: false,
  estimatedTokens: 100,
  firstByteMs: 12,
  durationMs: 345,
  provider: "sandbox",
  receiptDetails: null,
};

/** A store on PostgreSQL with a balance, and processes on it. */
export async function openBooks({
  balance = toNano(1_000_000_000n),
  spendLimits = {} as Readonly<Record<string, Nano>>,
} = {}) {
  const store = await openTemporaryPostgres();
  const database = createPostgresQueries(openPostgresPool(store.url));
  const sql = new pg.Client(store.url);
  await sql.connect();
  const open: PostgresFunds[] = [];
  const openProcess = async (name: string) => {
    const funds = await PostgresFunds.open({
      url: store.url,
      owner: name,
      clock,
      sealing: { key: new Uint8Array(32), random: (bytes) => crypto.getRandomValues(new Uint8Array(bytes)) },
      database,
      onFailure: () => {},
    });
    open.push(funds);
    const admissions = new PostgresAdmissions(funds, {
      clock,
      currency: "EUR",
      maxConcurrentRequests: 1e6,
      findSpendLimit: (scope) => spendLimits[scope ?? "organization"] ?? null,
      noteRefusing: () => {},
      catchUp: async () => {},
    });
    return new TestProcess(name, funds, admissions);
  };
  const first = await openProcess("a");
  const payment = { id: "txn_payment", amount: balance, reference: null, createdAtMs: Date.now() };
  await first.funds.recordPayment(payment, null, testRequest.event);
  const rows = async (query: string) => (await sql.query<Record<string, unknown>>(query)).rows;
  return {
    url: store.url,
    first,
    openProcess,
    rows,
    check: () => checkBooks(rows),
    async [Symbol.asyncDispose]() {
      await Promise.all(open.map((funds) => funds.close()));
      await database.destroy();
      await sql.end();
      await store.remove();
    },
  };
}

/** What must hold of the books at any time; empty if all does. */
async function checkBooks(rows: (query: string) => Promise<Record<string, unknown>[]>): Promise<string[]> {
  const [row = {}] = await rows(`SELECT balance, held, seq, payments + balance + charges + variance AS total,
    (SELECT coalesce(sum(amount), 0) FROM holds) AS open,
    (SELECT coalesce(sum(CASE to_account WHEN 'balance' THEN amount ELSE 0 END)
      - sum(CASE from_account WHEN 'balance' THEN amount ELSE 0 END), 0) FROM ledger_entries) AS entered,
    (SELECT coalesce(sum(amount), 0) FROM ledger_entries WHERE kind = 'charge') AS charged,
    (SELECT count(*) FROM ledger_entries) AS entries,
    (SELECT count(*) FROM ledger_entries e JOIN holds h ON h.id = 'hold' || substr(e.id, 4)) AS twice,
    (SELECT balance_after FROM ledger_entries ORDER BY seq DESC LIMIT 1) AS last_balance,
    (SELECT coalesce(sum(spent), 0) FROM spend WHERE scope = 'organization') AS spent,
    (SELECT coalesce(sum(spent), 0) FROM spend WHERE scope <> 'organization') AS project_spent,
    (SELECT coalesce(sum(held), 0) FROM spend WHERE scope = 'organization') AS spend_held,
    (SELECT count(*) FROM windows w WHERE EXISTS (SELECT FROM generate_series(1, 4) j WHERE used[j] <> last[j] +
      (SELECT coalesce(sum(amounts[j]), 0) FROM minute_slots m WHERE m.project_id = w.project_id AND m.model = w.model))
      OR EXISTS (SELECT FROM generate_series(5, 6) j WHERE used[j] <> last[j] + (SELECT coalesce(sum(amounts[j - 4]), 0)
        FROM day_slots d WHERE d.project_id = w.project_id AND d.model = w.model))) AS wrong_windows FROM book`);
  const facts: [string, unknown, unknown][] = [
    ["held = open holds", row.held, row.open],
    ["balance = entries", row.balance, row.entered],
    ["accounts add up to nothing", row.total, 0],
    ["numbers without gaps", row.seq, row.entries],
    ["a hold and its charge at once", row.twice, 0],
    ["running balance", row.last_balance ?? row.balance, row.balance],
    ["spent in total", row.spent, row.charged],
    ["spent by projects", row.project_spent, row.charged],
    ["held against spend limits", row.spend_held, row.open],
    ["windows = sums of slots", row.wrong_windows, 0],
  ];
  return facts
    .filter(([, is, should]) => String(is) !== String(should))
    .map(([name, is, should]) => `${name}: ${is}, should be ${should}`);
}
