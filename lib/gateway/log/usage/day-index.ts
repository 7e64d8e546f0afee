interface DayFilter {
  readonly projectIds: readonly string[] | null;
  readonly model?: string | undefined;
  readonly keyIds?: readonly string[] | undefined;
}

/**
 * Returns the SQL that makes a read of the daily `call_sums` use the index of a filter's key, model or project, or ""
 * if the filter has none of these. Without it SQLite, which knows nothing of the values, scans all sums of the days.
 * The read must name the width as a literal, since the indexes contain daily sums only.
 */
export function chooseDayIndex({ projectIds, model, keyIds }: DayFilter): string {
  if (keyIds !== undefined) return "INDEXED BY call_sums_by_key_id";
  if (model !== undefined) return "INDEXED BY call_sums_by_model";
  return projectIds?.length === 1 ? "INDEXED BY call_sums_by_project_id" : "";
}
