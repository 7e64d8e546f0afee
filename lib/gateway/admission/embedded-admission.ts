import type { Nano } from "@/lib/money/amount";
import type { CheckFigures } from "../requests/call-trace";
import type { Admission, AdmissionRequest, LimitScope } from "./admissions";
import type { RateLimitStatus } from "./rate-limit-headers";

/** Reads `rateLimits` when asked, not when the call was admitted. */
export class EmbeddedAdmission implements Admission {
  constructor(
    private readonly windows: { readStatus(limited: LimitScope): RateLimitStatus },
    readonly request: AdmissionRequest,
    readonly holdAmount: Nano,
    readonly maxOutputTokens: number,
    readonly estimatedTokens: number,
    readonly takenAtMs: number,
    readonly checkFigures: CheckFigures,
  ) {}

  get rateLimits(): RateLimitStatus {
    return this.windows.readStatus(this.request);
  }
}
