import type { CallPreview } from "@/lib/contract/operations/calls/completions";
import { formatAmount } from "@/lib/money/amount";
import { describeRefusal } from "../preview-call";
import type { IncomingCall } from "../requests/incoming-call";
import type { OrderRequest } from "../requests/prepared-request";
import { describeTaskForAdmission, type TaskCreation } from "./create-task";

/**
 * Returns the outcome that a call to a media model would have now, by the rules of admission. Counts, holds, logs and
 * sends nothing.
 * @throws Refusal for a request that would be refused before admission.
 */
export async function previewTask(
  context: TaskCreation,
  call: Pick<IncomingCall<OrderRequest>, "caller" | "request" | "projectId">,
): Promise<CallPreview> {
  const { model, admissionRequest } = describeTaskForAdmission(context, call);
  const { holdAmount, limits, refusal } = await context.admissions.preview(admissionRequest);
  return {
    object: "chat.completion.preview",
    model: model.id,
    project_id: call.projectId,
    prompt_tokens: 0,
    estimated_tokens: 0,
    max_output_tokens: 0,
    currency: context.organization.currency,
    hold: formatAmount(holdAmount),
    expected_charge: formatAmount(holdAmount),
    limits: limits.map(({ field, max, used, requested }) => ({ field, max, used, requested })),
    refusal: refusal && describeRefusal(refusal.asSeenBy(call.caller.permissionsIn)),
  };
}
