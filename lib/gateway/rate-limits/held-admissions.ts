import { MAX_WINDOW_MS } from "@/lib/contract/calls/rate-limit-table";
import type { Admission } from "./admissions";

/**
 * The admissions of this process whose holds outlive their calls, by request id, for as long as they count in a limit.
 */
export class HeldAdmissions {
  readonly #byRequest = new Map<string, Admission>();

  add(requestId: string, admission: Admission): void {
    // Oldest first: a task that another process ends stays here until it counts in no limit.
    for (const [id, { takenAtMs }] of this.#byRequest) {
      if (takenAtMs > admission.takenAtMs - MAX_WINDOW_MS) break;
      this.#byRequest.delete(id);
    }
    this.#byRequest.set(requestId, admission);
  }

  /**
   * Returns an admission and forgets it; undefined if another process, or this one before its restart, admitted the
   * call.
   */
  take(requestId: string): Admission | undefined {
    const admission = this.#byRequest.get(requestId);
    this.#byRequest.delete(requestId);
    return admission;
  }
}
