import { firstIdAt } from "@/lib/contract/ids";
import type { Reads } from "../../database/database";
import { dialectOf } from "../../database/dialect";
import { sql } from "../../database/fragment";

/** How often somebody did one kind of thing in one place. */
export interface PastAction {
  /** The member, or the admin key whose session or request it was. */
  readonly actorId: string;
  /** The event's type. */
  readonly type: string;
  readonly projectId: string | null;
  /** The operation behind an event about a key, where the event's type leaves it open. */
  readonly keyOf: "rotation" | "service_account" | null;
  readonly times: number;
  readonly lastAtMs: number;
  /** The last of these events. */
  readonly lastEventId: string;
}

interface ActionRow {
  readonly actor: string;
  readonly type: string;
  readonly project_id: string | null;
  readonly key_of: PastAction["keyOf"];
  readonly times: number;
  readonly last_at_ms: number;
  readonly last_id: string;
}

/** What these members and admin keys have changed since a time, by kind and place, the most frequent first. */
export async function readPastActions(
  reads: Reads,
  actorIds: readonly string[],
  sinceMs: number,
): Promise<PastAction[]> {
  const actor = sql`coalesce(actor_user_id, actor_key_id, actor_id)`;
  const names = (field: string) => sql`changes LIKE ${`%"${field}":"%`}`;
  const { rows } = await sql<ActionRow>`
    SELECT ${actor} AS actor, type, project_id,
      CASE WHEN type <> 'api_key.created' THEN NULL WHEN ${names("rotated_from")} THEN 'rotation'
        WHEN ${names("service_account_id")} THEN 'service_account' END AS key_of,
      count(*) AS times, max(at_ms) AS last_at_ms, max(id) AS last_id
    FROM audit_logs WHERE id >= ${firstIdAt("audit", sinceMs)} AND ${dialectOf(reads).isListed(actor, actorIds)}
    GROUP BY 1, 2, 3, 4 ORDER BY 5 DESC, 1, 2`.execute(reads as never);
  return rows.map((row) => ({
    actorId: row.actor,
    type: row.type,
    projectId: row.project_id,
    keyOf: row.key_of,
    times: Number(row.times),
    lastAtMs: Number(row.last_at_ms),
    lastEventId: row.last_id,
  }));
}
