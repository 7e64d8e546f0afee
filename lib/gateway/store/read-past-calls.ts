import { sql } from "kysely";
import type { Database } from "./database";

/** What a project used of a model in one second, when that second was, and how long ago. */
export interface PastSecond {
  readonly projectId: string;
  readonly model: string;
  readonly ageMs: number;
  readonly requests: number;
  readonly tokens: number;
}

/** The calls of the last `withinMs` that reached a provider, summed by the second they ended in, oldest first. */
export async function readPastCalls(
  database: Database,
  nowMs: number,
  withinMs: number,
): Promise<PastSecond[]> {
  const { rows } = await sql<{
    project_id: string;
    model: string;
    ended_ms: number;
    requests: number;
    tokens: number;
  }>`
    SELECT project_id, model, max(at_ms) AS ended_ms, count(*) AS requests,
      sum(coalesce(prompt_tokens + completion_tokens, 0)) AS tokens
    FROM request_log
    WHERE at_ms > ${nowMs - withinMs} AND outcome NOT IN ('refused', 'unsent')
    GROUP BY project_id, model, at_ms / 1000
    ORDER BY ended_ms`.execute(database);
  return rows.map((row) => ({
    projectId: row.project_id,
    model: row.model,
    ageMs: nowMs - row.ended_ms,
    requests: row.requests,
    tokens: row.tokens,
  }));
}
