import { changeTables } from "./changes";
import { conversationTables } from "./conversations";
import { fileTables } from "./files";
import { ledgerTables, paymentTables } from "./ledger";
import { limitTables } from "./limits";
import { modelTables } from "./models";
import { peopleTables } from "./people";
import { projectTables } from "./projects";
import { promptTables } from "./prompts";
import { requestLogView, requestTables } from "./requests";
import { signInTables } from "./sign-in";
import { sumTables } from "./sums";
import type { Table } from "./table";
import { taskTables } from "./tasks";

/** All tables of the first version of the schema, each after those that its columns refer to. */
export const tables: readonly Table[] = [
  ...projectTables,
  ...peopleTables,
  ...signInTables,
  ...modelTables,
  ...limitTables,
  ...ledgerTables,
  ...paymentTables,
  ...requestTables,
  ...sumTables,
  ...taskTables,
  ...fileTables,
  ...promptTables,
  ...conversationTables,
  ...changeTables,
];

/** Queries with names, made after the tables. */
export const views: Readonly<Record<string, string>> = { request_log: requestLogView };
