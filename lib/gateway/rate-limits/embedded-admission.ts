import type { Nano } from "@/lib/money/amount";
import type { CheckFigures } from "../log/requests/receipt-details";
import type { Admission, AdmissionRequest, LimitedPair } from "./admissions";
import type { RateLimitStatus } from "./rate-limit-headers";

/** Reads `rateLimits` when asked, not when the call was admitted. */
export class EmbeddedAdmission implements Admission {
  readonly request: AdmissionRequest;
  readonly holdAmount: Nano;
  readonly maxOutputTokens: number;
  readonly estimatedTokens: number;
  readonly takenAtMs: number;
  readonly checkFigures: CheckFigures;

  constructor(
    private readonly windows: { readStatus(limited: LimitedPair): RateLimitStatus },
    taken: Omit<Admission, "rateLimits">,
  ) {
    this.request = taken.request;
    this.holdAmount = taken.holdAmount;
    this.maxOutputTokens = taken.maxOutputTokens;
    this.estimatedTokens = taken.estimatedTokens;
    this.takenAtMs = taken.takenAtMs;
    this.checkFigures = taken.checkFigures;
  }

  get rateLimits(): RateLimitStatus {
    return this.windows.readStatus(this.request);
  }
}
