import { type Check, limitFaults, queryRows } from "./check";

const fileIsWhole: Check = {
  title: "the file is whole",
  run(database) {
    const results = queryRows<{ integrity_check: string }>(database, "PRAGMA integrity_check");
    const faults = results
      .map(({ integrity_check }) => integrity_check)
      .filter((result) => result !== "ok")
      .map((result) => `SQLite finds: ${result}. Restore a backup.`);
    return { checked: "every page", faults: limitFaults(faults) };
  },
};

export const referencesLead: Check = {
  title: "references lead somewhere",
  run(database) {
    const brokenRows = queryRows<{ table: string; rowid: bigint | null; parent: string }>(
      database,
      "PRAGMA foreign_key_check",
    );
    const faults = brokenRows.map(
      ({ table, rowid, parent }) =>
        `Row ${rowid ?? "?"} of ${table} names something that ${parent} doesn't have.`,
    );
    return { checked: "every foreign key", faults: limitFaults(faults) };
  },
};

export const databaseChecks: readonly Check[] = [fileIsWhole, referencesLead];
