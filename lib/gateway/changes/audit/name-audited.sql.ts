import { sql } from "kysely";
import { predefinedRoles } from "@/lib/contract/access/predefined-roles";
import type { Reads } from "../../database/database";
import type { AuditChange } from "./audit-event";
import type { AuditRecord } from "./audit-log-reader";

type Unnamed = Omit<AuditRecord, "changes" | "keyName"> & { readonly changes: readonly AuditChange[] };

/** Tables whose rows have a name, with its column. */
const nameColumns = {
  users: "email",
  groups: "name",
  roles: "name",
  projects: "name",
  project_api_keys: "name",
  admin_api_keys: "name",
  service_accounts: "name",
} as const;

/** Adds the present names of the objects in events, with one query for all of them. */
export async function nameAudited(reads: Reads, events: readonly Unnamed[]): Promise<AuditRecord[]> {
  const ids = new Set<string>();
  const note = (id: string | null) => id !== null && ids.add(id);
  for (const event of events) {
    note(findActorKey(event));
    for (const { id, subject_id } of event.changes) {
      note(id);
      note(subject_id);
    }
  }
  const names = await readNames(reads, [...ids]);
  const findName = (id: string | null) => (id === null ? null : (names.get(id) ?? null));
  return events.map((event) => ({
    ...event,
    keyName: findName(findActorKey(event)),
    changes: event.changes.map((change) => ({
      ...change,
      name: findName(change.id),
      subject_name: findName(change.subject_id),
    })),
  }));
}

function findActorKey({ actor_kind, actor_id, actor_key_id }: Unnamed): string | null {
  return actor_kind === "session" ? actor_key_id : actor_id;
}

async function readNames(reads: Reads, ids: readonly string[]): Promise<Map<string, string>> {
  const list = JSON.stringify(ids);
  const tables = Object.entries(nameColumns).map(
    ([table, column]) =>
      sql`SELECT id, ${sql.ref(column)} AS name FROM ${sql.table(table)} WHERE id IN (SELECT value FROM json_each(${list}))`,
  );
  const { rows } = await sql<{
    id: string;
    name: string | null;
  }>`${sql.join(tables, sql` UNION ALL `)}`.execute(reads as never);
  const predefined = predefinedRoles.map(({ id, name }) => [id, name] as const);
  const names = rows.flatMap(({ id, name }) => (name === null ? [] : [[id, name] as const]));
  return new Map([...predefined, ...names]);
}
