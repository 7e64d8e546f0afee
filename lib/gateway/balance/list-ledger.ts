import type { LedgerQuery } from "@/lib/contract/operations/balance";
import { invalid } from "../ports/refusal";
import type { LedgerReader, LedgerRecord } from "./ledger-reader";

const DEFAULT_LIMIT = 100;

/** One page of the ledger, newest first, and whether there are more. @throws Refusal 400 for a page beside no entry. */
export async function listLedger(
  ledger: LedgerReader,
  query: LedgerQuery,
): Promise<{ entries: LedgerRecord[]; hasMore: boolean }> {
  const { kind, project_id: projectId, model, request_id: requestId, after, before } = query;
  for (const [param, id] of Object.entries({ after, before })) {
    if (id === undefined || (await ledger.has(id))) continue;
    throw invalid(param, `"${id}" is not in the ledger; pass the id of an entry the list returned.`);
  }
  const limit = query.limit ?? DEFAULT_LIMIT;
  const filter = { kind, projectId, model, requestId, after, before };
  // One more than asked for tells whether there is a further page; the further one stands at the far end.
  const entries = await ledger.list({ ...filter, limit: limit + 1 });
  const hasMore = entries.length > limit;
  const isUpwards = before !== undefined && after === undefined;
  return { entries: isUpwards ? entries.slice(-limit) : entries.slice(0, limit), hasMore };
}
