/** Traces calls where a collector is configured. The trace of an admitted call ends with its settlement or release. */
export interface CallTracer {
  /** Begins the trace of a call, or continues its caller's. @returns the `traceparent` for the provider. */
  begin(requestId: string, headers: Headers): string;
  /** The call got the kept reply of an earlier one. */
  replayed(requestId: string): void;
  /** The call ended with an error. Does nothing where its trace has ended already. */
  failed(requestId: string, status: number, code: string): void;
}
