/** Traces calls, where somebody collects traces. What becomes of an admitted call is told by its end. */
export interface CallTraces {
  /** Begins the trace of a call, or goes on with its caller's. @returns the `traceparent` for where the call goes on to. */
  begin(requestId: string, headers: Headers): string;
  /** The call was answered from what was kept of an earlier one. */
  replayed(requestId: string): void;
  /** The call ended by an error; nothing happens where its end was told already. */
  failed(requestId: string, status: number, code: string): void;
}
