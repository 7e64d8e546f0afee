import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toNano } from "@/lib/money/amount";
import { openSqlite } from "../../database/open-sqlite";
import { openBatch } from "../../database/testing/open-batch";
import { openTemporarySqlite } from "../../database/testing/open-temporary-database";
import { type SeededRandom, seededRandom } from "../../simulation/seeded-random";
import type { LedgerBatch } from "./ledger-batch.sql";
import type { LedgerOperation } from "./ledger-operation";

/** A disk writes this much of a file whole or not at all. */
const SECTOR = 512;
const LOG_HEADER = 32;
/** SQLite's `synchronous` setting, with which each commit is on disk when it ends. */
const FULL = 2n;
const FRAME_HEADER = 24;
const price = { inputPer1m: toNano(0n), outputPer1m: toNano(0n), rate: toNano(1_000_000_000n) };
const end = {
  outcome: "completed",
  status: 200,
  stream: false,
  estimatedTokens: 30,
  firstByteMs: 1,
  durationMs: 2,
  atMs: 150,
  provider: "sandbox",
  receiptDetails: null,
} as const;

/** The database's file and its log, byte by byte. */
interface Files {
  readonly database: Buffer;
  readonly log: Buffer;
}

const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 1e9));
let folder: string;
let starts = 0;
let random: SeededRandom;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "gatehouse-power-"));
  random = seededRandom(seed);
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A ledger as its writer has it: each commit is synced, and the log is checkpointed only when asked to. */
async function openLedger() {
  const temporary = await openTemporarySqlite();
  const sqlite = openSqlite(temporary.path, { safeIntegers: true });
  sqlite.run("PRAGMA wal_autocheckpoint = 0");
  expect(sqlite.query("PRAGMA synchronous").get()).toEqual({ synchronous: FULL });
  sqlite.run("PRAGMA wal_checkpoint(TRUNCATE)");
  const batch = openBatch(sqlite);
  const payment = { id: "txn_p", amount: toNano(1_000_000n), reference: null, createdAtMs: 1 };
  batch.apply([{ kind: "payment", payment, idempotency: null, audit: null }]);
  return {
    sqlite,
    batch,
    readFiles: (): Files => ({
      database: readFileSync(temporary.path),
      log: readFileSync(`${temporary.path}-wal`),
    }),
    async [Symbol.asyncDispose]() {
      sqlite.close();
      await temporary[Symbol.asyncDispose]();
    },
  };
}

/** Batches of holds and ends of holds, as calls make them. */
function startCalls() {
  const open: string[] = [];
  let calls = 0;
  return function drawBatch(): LedgerOperation[] {
    return Array.from({ length: random.between(2, 40) }, () => {
      const ended = open.length > 0 && random.chance(0.5) ? open.shift() : undefined;
      if (ended === undefined) {
        open.push(`${++calls}`);
        return { kind: "hold", hold: holdNamed(`${calls}`) };
      }
      if (random.chance(0.2)) return { kind: "release", release: { holdId: `hold_${ended}`, end } };
      return createSettlement(ended);
    });
  };
}

function holdNamed(name: string) {
  return {
    id: `hold_${name}`,
    requestId: `req_${name}`,
    amount: toNano(BigInt(random.between(1, 99))),
    projectId: "proj_1",
    keyId: "key_1",
    model: "m".repeat(random.between(1, 300)),
    promptTokens: 10,
    maxCompletionTokens: 20,
    price,
    createdAtMs: 100,
    deadlineAtMs: 200,
  };
}

function createSettlement(name: string): LedgerOperation {
  const ids = { holdId: `hold_${name}`, entryId: `txn_${name}`, varianceEntryId: `txn_${name}v` };
  const usage = { promptTokens: 10, completionTokens: 20 };
  return { kind: "settle", settlement: { ...ids, charge: toNano(50n), usage, basis: "reported", end } };
}

function applyAll(batch: LedgerBatch, operations: LedgerOperation[]): void {
  for (const result of batch.apply(operations)) expect(result).toBe(true);
}

/** Everything that the ledger says of money. */
function readBooks(sqlite: Database): string {
  const accounts = sqlite.query("SELECT name, balance, held FROM accounts ORDER BY name").all();
  const entries = sqlite.query("SELECT id, amount, balance_after, hex(hash) FROM ledger_entries").all();
  const holds = sqlite.query("SELECT id, amount FROM holds ORDER BY id").all();
  return JSON.stringify({ accounts, entries, holds }, (_name, value) =>
    typeof value === "bigint" ? String(value) : value,
  );
}

/** What the gateway finds when it starts on these files. */
function readAfterLoss({ database, log }: Files): string {
  const path = join(folder, `${starts++}.sqlite`);
  writeFileSync(path, database);
  writeFileSync(`${path}-wal`, log);
  using sqlite = new Database(path, { safeIntegers: true });
  sqlite.run("PRAGMA synchronous = OFF");
  expect(sqlite.query("PRAGMA quick_check").get()).toEqual({ quick_check: "ok" });
  return readBooks(sqlite);
}

/** A file of which a power loss kept some changed sectors and forgot the others. */
function mixSectors(before: Buffer, after: Buffer, keeps: () => boolean): Buffer {
  const mixed = Buffer.alloc(Math.max(before.length, after.length));
  before.copy(mixed);
  for (let at = 0; at < after.length; at += SECTOR) if (keeps()) after.copy(mixed, at, at, at + SECTOR);
  return mixed;
}

/** Around the ends of frames and of their heads, and every 307th byte. */
function cutsBetween(start: number, until: number, frame: number): number[] {
  const cuts = Array.from({ length: until - start }, (_, at) => start + at);
  const edges = new Set([0, 1, FRAME_HEADER - 1, FRAME_HEADER, FRAME_HEADER + 1, frame - 1]);
  return cuts.filter((cut) => edges.has((cut - start) % frame) || cut % 307 === 0);
}

test("a log that is cut anywhere within a batch that nobody was told of contains the batches before it, whole", async () => {
  await using ledger = await openLedger();
  const drawBatch = startCalls();
  for (let batches = 0; batches < 5; batches++) applyAll(ledger.batch, drawBatch());
  const [before, told] = [ledger.readFiles(), readBooks(ledger.sqlite)];
  applyAll(ledger.batch, drawBatch());
  const [after, next] = [ledger.readFiles(), readBooks(ledger.sqlite)];
  const pageSize = after.database.readUInt16BE(16);
  const cuts = cutsBetween(before.log.length, after.log.length, pageSize + FRAME_HEADER);
  expect(cuts.length).toBeGreaterThan(50);
  for (const cut of cuts) {
    const found = readAfterLoss({ ...after, log: after.log.subarray(0, cut) });
    if (found !== told) throw new Error(`Cut at byte ${cut}: other books, with SEED=${seed}`);
  }
  expect(readAfterLoss(after)).toBe(next);
});

test("after a power loss at any moment the books are those of a whole number of batches, and none that was answered is lost", async () => {
  await using ledger = await openLedger();
  const drawBatch = startCalls();
  for (let batches = 0; batches < 25; batches++) {
    const [before, told] = [ledger.readFiles(), readBooks(ledger.sqlite)];
    // Then the log begins anew, and the next batch overwrites its older frames.
    if (random.chance(0.3)) ledger.sqlite.run("PRAGMA wal_checkpoint(PASSIVE)");
    const synced = ledger.readFiles();
    const duringCheckpoint = mixSectors(before.database, synced.database, () => random.chance(0.5));
    const afterCheckpointed = readAfterLoss({ database: duringCheckpoint, log: before.log });
    applyAll(ledger.batch, drawBatch());
    const [after, next] = [ledger.readFiles(), readBooks(ledger.sqlite)];
    const share = random.pick([0.02, 0.5, 0.98]);
    // SQLite syncs the head of a log that begins anew before it writes a frame.
    const begun = Buffer.concat([after.log.subarray(0, LOG_HEADER), synced.log.subarray(LOG_HEADER)]);
    const log = mixSectors(begun, after.log, () => random.chance(share));
    const found = readAfterLoss({ database: synced.database, log });
    const shown = { afterCheckpointed: afterCheckpointed === told, found: found === told || found === next };
    expect({ ...shown, batches, seed }).toEqual({ afterCheckpointed: true, found: true, batches, seed });
    expect(readAfterLoss(after)).toBe(next);
  }
});
