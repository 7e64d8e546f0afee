import pg from "pg";
import { builtInRateLimits, type RateLimitValues } from "@/lib/contract/calls/rate-limit-table";
import { type Nano, toNano } from "@/lib/money/amount";
import { createPostgresQueries, openPostgresPool } from "../../database/postgres";
import { testRequest } from "../../database/testing/open-temporary-database";
import { openTemporaryPostgres } from "../../database/testing/open-temporary-postgres";
import { checkBooks } from "../../ledger/ticks/check-books.sql";
import { PostgresFunds } from "../../ledger/ticks/postgres-funds";
import type { AdmissionRequest, Placed } from "../admissions";
import { PostgresAdmissions } from "../postgres-admissions";
import { PostgresWindows } from "../postgres-windows.sql";
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
      recheck: (asked) => asked,
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
  const open = new Set<PostgresFunds>();
  const openProcess = async (name: string) => {
    const funds = await PostgresFunds.open({
      url: store.url,
      owner: name,
      clock,
      sealing: { key: new Uint8Array(32), random: (bytes) => crypto.getRandomValues(new Uint8Array(bytes)) },
      database,
      onFailure: () => {},
    });
    open.add(funds);
    const windows = new PostgresWindows(database, () => funds.nowMs());
    const admissions = new PostgresAdmissions(funds, windows, {
      clock,
      currency: "EUR",
      maxConcurrentRequests: 1e6,
      findSpendLimit: (scope) => spendLimits[scope ?? "organization"] ?? null,
      noteRefusing: () => {},
      readFeed: () => Number.MAX_SAFE_INTEGER,
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
    /** Ends a process in order, as after SIGTERM. */
    async closeProcess({ funds }: TestProcess) {
      open.delete(funds);
      await funds.close();
    },
    rows,
    check: () => checkBooks(rows),
    async [Symbol.asyncDispose]() {
      await Promise.all([...open].map((funds) => funds.close()));
      await database.destroy();
      await sql.end();
      await store.remove();
    },
  };
}
