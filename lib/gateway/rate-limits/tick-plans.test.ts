import { expect, test } from "bun:test";
import { toNano } from "@/lib/money/amount";
import { describeCharge } from "../ledger/ledger-row";
import { type Ask, type End, Tick, type TickPair } from "../ledger/ticks/tick";
import { connect } from "../ledger/ticks/tick-connection";
import { ARGUMENT_TYPES, TICK_PROCEDURE } from "../ledger/ticks/tick-procedure.sql";
import { draftTestHold } from "./testing/draft-test-hold";
import { openBooks, testCall } from "./testing/open-books";

const OWNER = "planner";
const ROWS = 20_000;
const pair: TickPair = { projectId: "proj_1", model: "m", max: [1e9, 1e9, null, null, null, null] };
const CALL = `CALL ${TICK_PROCEDURE}(${Object.values(ARGUMENT_TYPES)
  .map((type, index) => `$${index + 1}::${type}`)
  .join(", ")}, NULL)`;

/** What fills the tables with the rows of other calls, so that each whole reading of one would be noticed. */
const FILL = [
  `INSERT INTO windows SELECT 'p' || i, 'm', 0, 0, 0, '{0,0,0,0,0,0}', '{0,0,0,0,0,0}', 0 FROM generate_series(1, ${ROWS}) i`,
  `INSERT INTO minute_slots SELECT 'p' || i, 'm', i, '{1,1,1,1}' FROM generate_series(1, ${ROWS}) i`,
  `INSERT INTO day_slots SELECT 'p' || i, 'm', i, '{1,1}' FROM generate_series(1, ${ROWS}) i`,
  `INSERT INTO spend SELECT 'p' || i, 0, 0, 0, 0 FROM generate_series(1, ${ROWS}) i`,
  `INSERT INTO leases SELECT 'o' || i, 0 FROM generate_series(1, ${ROWS}) i`,
  "ANALYZE",
];

test.each([
  ["empty", []],
  ["full", FILL],
])(
  "with %s tables, each statement of a tick finds its rows by an index",
  async (_name, statements) => {
    await using books = await openBooks();
    for (const statement of statements) await books.rows(statement);
    const client = await connect({ url: books.url, owner: OWNER });
    await client.query("LOAD 'auto_explain'");
    await client.query(`SET auto_explain.log_min_duration = 0; SET auto_explain.log_nested_statements = on;
    SET auto_explain.log_level = notice; SET client_min_messages = notice`);
    const plans: string[] = [];
    client.on("notice", ({ message }) => void plans.push(String(message)));
    const tick = (asks: Ask[], ends: End[]) => {
      const times = { earliest: null, latest: null, feed: 1e9, lease_ms: 30_000 };
      return client.query({
        name: "tick",
        text: CALL,
        values: new Tick(asks, ends, new Map()).encode(OWNER, times, Date.now()),
      });
    };
    await tick([], []);
    plans.length = 0;
    const decided = {
      request: testCall,
      holdAmount: toNano(100n),
      maxOutputTokens: 90,
      estimatedTokens: 100,
    };
    const hold = draftTestHold("planned", decided as never, Date.now(), {});
    const ask = {
      feed: 1e9,
      pair,
      spendLimits: [null, null] as const,
      amount: hold.amount,
      needs: [1, 100, 0, 0, 1, 0],
      hold,
    };
    await tick([ask], []);
    const settlement = {
      holdId: hold.id,
      entryId: "txn_planned",
      varianceEntryId: "",
      charge: toNano(50n),
      usage: { promptTokens: 10, completionTokens: 40 },
      basis: "reported" as const,
      end: {
        outcome: "completed",
        status: 200,
        stream: false,
        estimatedTokens: 100,
        firstByteMs: 1,
        durationMs: 2,
        atMs: Date.now(),
        provider: "sandbox",
        receiptDetails: null,
      } as const,
    };
    const end = {
      holdId: hold.id,
      projectId: "proj_1",
      pair,
      charge: 50n,
      late: 0,
      give: [0, 50, 0, 0, 0, 0],
      slots: { minute: 1, day: 1 },
      entries: [{ row: describeCharge(hold, settlement), trace: null }],
      uncharged: null,
      reply: null,
      taskEnd: null,
    };
    await tick([], [end]);
    await client.end();
    const stored = await books.rows("SELECT amount FROM ledger_entries WHERE id = 'txn_planned'");
    expect(stored).toEqual([{ amount: "50" }]);
    expect(plans.length).toBeGreaterThan(10);
    expect(plans.filter((plan) => /Seq Scan on|Hash Join|Merge Join/.test(plan))).toEqual([]);
  },
  60_000,
);
