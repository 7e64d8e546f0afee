import type { RequestClient } from "@/lib/contract/operations/calls/receipt-parts";
import type { RequestHeaders } from "../request-headers";

/** Traces calls, where a collector is configured. The trace of an admitted call ends with its settlement or release. */
export interface CallTracer {
  /** Begins a call's trace, or continues its caller's. @returns the `traceparent` for the provider. */
  begin(requestId: string, headers: RequestHeaders, endpoint: RequestClient["endpoint"]): string;
  /** Records that the call got the stored reply of an earlier one. */
  recordReplay(requestId: string): void;
  /** Records that the call ended with an error. Does nothing where its trace has ended. */
  recordFailure(requestId: string, status: number, code: string): void;
}
