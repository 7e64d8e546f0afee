import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BY_SYSTEM, createLock, type Write } from "../../changes/change";
import { createTransactions } from "../../changes/transactions.sql";
import { openReads } from "../../database/database";
import { openSqlite } from "../../database/open-sqlite";
import { sealTaskText } from "../../ledger/funds";
import { createTaskStore } from "../../tasks/task-store.sql";

const KEY = new Uint8Array(32);

/** The real tables in a file, with one connection for the ledger's writer and one for the tasks' claims. */
export function openSimulatedTaskStore(template: Uint8Array) {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-simulation-"));
  const path = join(folder, "gatehouse.sqlite");
  writeFileSync(path, template);
  const ledger = openSqlite(path, { safeIntegers: true });
  const writes = openSqlite(path);
  // The simulation kills processes but never cuts the power.
  for (const sqlite of [ledger, writes]) sqlite.run("PRAGMA synchronous = OFF");
  const reads = openReads(path);
  const transactions = createTransactions(writes);
  const lock = createLock();
  const event = { ...BY_SYSTEM, type: "task", atMs: 0 } as const;
  return {
    path,
    ledger,
    reads,
    key: KEY,
    seal: (text: string, taskId: string) =>
      sealTaskText(text, taskId, { key: KEY, random: (bytes) => new Uint8Array(bytes) }),
    tasks: createTaskStore(reads),
    write: ((work) => lock(() => transactions.run(event, work))) as Write,
    async [Symbol.asyncDispose]() {
      await reads.destroy();
      await transactions.close();
      ledger.close();
      rmSync(folder, { recursive: true });
    },
  };
}

export type SimulatedTaskStore = ReturnType<typeof openSimulatedTaskStore>;
