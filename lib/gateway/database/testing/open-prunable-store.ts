import { pruneStore, toRetention } from "../../main/background/prune-store.sql";
import { openSqlite } from "../open-sqlite";
import { openTemporarySqlite } from "./open-temporary-database";

export const START_MS = Date.UTC(2027, 0, 1);

/** A store for tests of retention: filled by SQL, cut at a time, and examined by `findFaults`. */
export async function openPrunableStore(findFaults: (path: string) => string[]) {
  const temporary = await openTemporarySqlite();
  const sqlite = openSqlite(temporary.path);
  let pauses = 0;
  return {
    sqlite,
    path: temporary.path,
    write: temporary.write,
    countRows: (table: string) =>
      sqlite.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get()?.n ?? 0,
    /** @returns the number of steps. */
    async cut(nowMs: number, draft = {}) {
      pauses = 0;
      const pause = async () => Boolean(++pauses);
      await pruneStore(temporary.run, toRetention(draft), { nowMs, pause });
      return pauses;
    },
    faults: () => findFaults(temporary.path),
    async [Symbol.asyncDispose]() {
      sqlite.close();
      await temporary[Symbol.asyncDispose]();
    },
  };
}

export type PrunableStore = Awaited<ReturnType<typeof openPrunableStore>>;
