import { DAY_MS } from "@/lib/contract/durations";
import { createBatchStore } from "@/lib/gateway/batches/batch-store.sql";
import { createAuditLogReader } from "@/lib/gateway/changes/audit/audit-log-reader.sql";
import type { Database } from "@/lib/gateway/database/database";
import { createKeyStore } from "@/lib/gateway/keys/key-store.sql";
import { createLedgerReader } from "@/lib/gateway/ledger/reads/ledger-reader.sql";
import type { PagedList } from "@/lib/gateway/lists/paged-list";
import { createUserStore } from "@/lib/gateway/people/user-store.sql";
import { createTaskStore } from "@/lib/gateway/tasks/task-store.sql";
import { toNano } from "@/lib/money/amount";
import { keyIdAt, modelIdAt, projectIdAt } from "./seed-calls";

/** A list as a screen shows it, and how many of its rows the screen reads at once. */
interface LogList {
  readonly name: string;
  readonly list: PagedList<{ readonly id: string }>;
  readonly limit: number;
}

/** The console's pages, and one row more that says whether there are others. */
const PAGE = 51;
/** Keys and members are read whole. */
const WHOLE = 1_001;

/**
 * Returns the lists of the audit log, the ledger, tasks, batches, keys and members. `untilMs` is the time of the last
 * call.
 */
export function logLists(reads: Database, untilMs: number): readonly LogList[] {
  const ledger = createLedgerReader(reads);
  const audit = createAuditLogReader(reads);
  const keys = createKeyStore(reads);
  const month = { startMs: untilMs - 30 * DAY_MS, endMs: untilMs };
  const entries = {
    ledger: {},
    "ledger, payments": { kind: "payment" },
    "ledger, one project": { projectId: projectIdAt(3) },
    "ledger, one key of a small project": { projectId: projectIdAt(480), keyId: keyIdAt(960) },
    "ledger, one model, 30 days": { model: modelIdAt(7), ...month },
    "ledger, an amount that no entry has": { minAmount: toNano(10n ** 17n) },
    "ledger, text": { text: "PO-1041" },
  } as const;
  const events = {
    "audit log": {},
    "audit log, 30 days": { fromMs: month.startMs, untilMs },
    "audit log, one project": { projectIds: [projectIdAt(3)] },
    "audit log, a type without events": { types: ["statement.closed"] },
    "audit log, text": { text: "renamed 4321" },
  };
  const everyone = { projectIds: null, keyIds: null };
  return [
    ...Object.entries(entries).map(([name, filter]) => ({ name, list: ledger.pages(filter), limit: PAGE })),
    ...Object.entries(events).map(([name, filter]) => ({ name, list: audit.pages(filter), limit: PAGE })),
    { name: "tasks", list: createTaskStore(reads).pages(everyone), limit: PAGE },
    { name: "batches", list: createBatchStore(reads).pages(everyone), limit: PAGE },
    { name: "keys of a project", list: keys.projectKeyPages(projectIdAt(3)), limit: WHOLE },
    { name: "admin keys", list: keys.adminKeyPages(), limit: WHOLE },
    { name: "members", list: createUserStore(reads).pages({}), limit: WHOLE },
  ];
}
