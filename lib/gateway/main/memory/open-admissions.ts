import { MAX_WINDOW_MS } from "@/lib/contract/rate-limit-table";
import type { Admissions } from "../../admission/admissions";
import { EmbeddedAdmissions } from "../../admission/embedded-admissions";
import type { SpendTracker } from "../../balance/spend-limits/spend-tracker";
import type { LimitWindows } from "../../rate-limits/limit-usage";
import type { GatewayOptions } from "../gateway-options";
import type { Stores } from "../open-stores";

/** Opens admissions, whose windows include the calls admitted before this start. */
export async function openAdmissions(
  { effects: { clock }, maxConcurrentRequests }: Pick<GatewayOptions, "effects" | "maxConcurrentRequests">,
  { funds, organization, past }: Pick<Stores, "funds" | "organization" | "past">,
  spendTracker: SpendTracker,
): Promise<Admissions & { readonly windows: LimitWindows }> {
  const settings = { clock, currency: organization.currency, maxConcurrentRequests };
  const admissions = new EmbeddedAdmissions(funds, spendTracker, settings);
  admissions.windows.restore(await past.calls(clock.nowMs(), MAX_WINDOW_MS));
  return admissions;
}
