import type { Nano } from "@/lib/money/amount";
import type { SeenByChecks } from "../requests/call-trace";
import type { Admission, AdmissionRequest, LimitedBy } from "./admissions";
import type { RateLimitStatus } from "./rate-limit-headers";

/** Reads `rateLimits` when asked, not when the call was admitted. */
export class EmbeddedAdmission implements Admission {
  constructor(
    private readonly admissions: { statusOf(limited: LimitedBy): RateLimitStatus },
    readonly request: AdmissionRequest,
    readonly holdAmount: Nano,
    readonly maxOutputTokens: number,
    readonly estimatedTokens: number,
    readonly takenAtMs: number,
    readonly seen: SeenByChecks,
  ) {}

  get rateLimits(): RateLimitStatus {
    return this.admissions.statusOf(this.request);
  }
}
