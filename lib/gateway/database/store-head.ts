import type { Database, Database as Sqlite } from "bun:sqlite";
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import { join } from "node:path";
import { threadId } from "node:worker_threads";
import { describePathFault, syncPathSync } from "@/lib/durability/sync-path";
import { type AuditHead, formatAuditHead, parseAuditHead } from "../changes/audit/audit-chain.sql";

/** How far the ledger and the audit log had come: the number of their last row, and the last hash at that point. */
export interface StoreHead {
  readonly ledger: AuditHead;
  readonly audit: AuditHead;
}

const FILE = "store-head";
const NOTHING: AuditHead = { length: 0, hash: "0".repeat(64) };

export function storeHeadPath(dataFolder: string): string {
  return join(dataFolder, FILE);
}

export function readStoreHead(sqlite: Database): StoreHead {
  const last = (table: "ledger_entries" | "audit_logs", hash: string) => {
    const row = sqlite
      .query<{ seq: number | bigint; hash: string | null }, []>(
        `SELECT seq, ${hash} AS hash FROM ${table} ORDER BY seq DESC LIMIT 1`,
      )
      .get();
    return row ? { length: Number(row.seq), hash: row.hash || NOTHING.hash } : NOTHING;
  };
  return { ledger: last("ledger_entries", "lower(hex(hash))"), audit: last("audit_logs", "hash") };
}

/** Stores the head beside the database, atomically and durably. Everything that it refers to is already on disk. */
export function writeStoreHead(dataFolder: string, { ledger, audit }: StoreHead): void {
  const path = storeHeadPath(dataFolder);
  // The start and the writer thread may store it at the same moment, so each uses its own temporary file.
  const draft = `${path}.${threadId}.draft`;
  const file = openSync(draft, "w", 0o600);
  try {
    writeSync(file, `ledger ${formatAuditHead(ledger)}\naudit ${formatAuditHead(audit)}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(draft, path);
  syncPathSync(dataFolder);
}

/**
 * Null if none is stored, because the folder was never used.
 * @throws StoreFault if what is stored is no head: whatever was lost with it can't be noticed any more.
 */
export function findKeptHead(dataFolder: string): StoreHead | null {
  let text: string;
  try {
    text = readFileSync(storeHeadPath(dataFolder), "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    const fault = describePathFault(error, {
      path: storeHeadPath(dataFolder),
      other: "delete it to go on with the database as it is",
    });
    throw fault === null ? error : new StoreFault(fault);
  }
  const [ledger, audit] = (/^ledger (\S+)\naudit (\S+)\n$/.exec(text) ?? []).slice(1).map(readHead);
  if (ledger && audit) return { ledger, audit };
  throw new StoreFault(
    `${storeHeadPath(dataFolder)} is not as Gatehouse writes it, so it no longer tells whether the database is the newest: restore it from a copy, or delete it to go on with the database as it is.`,
  );
}

function readHead(text: string): AuditHead | null {
  return text === formatAuditHead(NOTHING) ? NOTHING : parseAuditHead(text);
}

/** Describes what a stored head refers to and the database lacks; null if it lacks nothing. */
export function findLoss(sqlite: Database, keptHead: StoreHead): string | null {
  const now = readStoreHead(sqlite);
  for (const [what, name] of [
    ["ledger", "entries"],
    ["audit", "audit events"],
  ] as const) {
    const [was, is] = [keptHead[what], now[what]];
    if (is.length < was.length) return `${was.length - is.length} of its ${was.length} ${name} are missing`;
    const hash = readHash(sqlite, what, was.length);
    if (hash !== null && hash !== was.hash) {
      return `number ${was.length} of its ${name} is another than it was`;
    }
  }
  return null;
}

/** Null if there is no such row: an audit event that was pruned, or none yet. */
function readHash(sqlite: Database, what: keyof StoreHead, seq: number): string | null {
  const sql =
    what === "ledger"
      ? "SELECT lower(hex(hash)) AS hash FROM ledger_entries WHERE seq = ?"
      : "SELECT hash FROM audit_logs WHERE seq = ?";
  const row = sqlite.query<{ hash: string | null }, [number]>(sql).get(seq);
  return row && (row.hash || NOTHING.hash);
}

/** The stored data can't be used. `message` says what is wrong and how to correct it. */
export class StoreFault extends Error {}

/** Describes SQLite's error about an unusable file; returns any other error unchanged. */
export function describeStoreFault(error: unknown, path: string): unknown {
  const text = String(error);
  if (text.includes("file is not a database") || text.includes("disk image is malformed")) {
    return new StoreFault(`${path} is damaged, or no database: put a backup in its place, then start again.`);
  }
  if (text.includes("database or disk is full") || text.includes("disk I/O error")) {
    return new StoreFault(
      `${path} can't be written (${text}): its disk is full or fails. Make room on it, then start again.`,
    );
  }
  if (text.includes("unable to open database file") || text.includes("readonly database")) {
    return new StoreFault(
      `${path} can't be opened and written (${text}): give this user access to it and to its folder, then start again.`,
    );
  }
  return error;
}

const NEWEST = [
  "SELECT created_at_ms AS at FROM ledger_entries ORDER BY seq DESC LIMIT 1",
  "SELECT at_ms AS at FROM audit_logs ORDER BY seq DESC LIMIT 1",
  "SELECT at_ms AS at FROM uncharged_calls ORDER BY id DESC LIMIT 1",
];

/** When an entry, an event or an uncharged call was stored last, in Unix milliseconds; null if there is none. */
export function readLastStored(sqlite: Sqlite): number | null {
  const times = NEWEST.flatMap((sql) => sqlite.query<{ at: number }, []>(sql).get()?.at ?? []);
  return times.length > 0 ? Math.max(...times) : null;
}
