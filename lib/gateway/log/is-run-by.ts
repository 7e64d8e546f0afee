import type { RequestDetails, RequestLogReader } from "./request-log-reader";

/** Whether a member made a call as another key. */
export async function isRunBy(
  requests: Pick<RequestLogReader, "find">,
  requestId: string,
  callerId: string,
): Promise<boolean> {
  const request = await requests.find(requestId);
  return request !== null && findRunBy(request) === callerId;
}

/**
 * The id of the member or admin key that made a call as another key; null for a call that was made with its own key.
 */
export function findRunBy({ receiptDetails }: Pick<RequestDetails, "receiptDetails">): string | null {
  return receiptDetails.client?.run_by?.id ?? null;
}
