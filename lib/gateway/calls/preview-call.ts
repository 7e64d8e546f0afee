import type { CallPreview } from "@/lib/contract/operations/calls/completions";
import { formatAmount } from "@/lib/money/amount";
import type { ProviderDirectory } from "../models/providers/provider-directory";
import { findCircuitRefusal } from "../providers/find-circuit-refusal";
import type { ProviderLinks } from "../providers/provider-links";
import { isRunning } from "../providers/routing/order-routes";
import type { Refusal } from "../refusal";
import { type AllowedModelContext, findAllowedModel } from "./call-access";
import { type DescribeContext, describeForAdmission, isRefusedByTokens } from "./holds/admit-and-hold";
import { computeExpectedCharge, type HoldContext } from "./holds/held-call";
import type { PromptCounter } from "./holds/prompt-counter";
import type { IncomingCall } from "./requests/incoming-call";
import { type CompletionRequest, findCounting, refuseCallback } from "./requests/prepared-request";

export interface PreviewContext
  extends Pick<HoldContext, "admissions">,
    AllowedModelContext,
    DescribeContext {
  readonly directory: Pick<ProviderDirectory, "find">;
  readonly links: ProviderLinks;
  readonly promptCounter: Pick<PromptCounter, "count" | "learn">;
  readonly organization: { readonly currency: string };
}

/**
 * Returns the outcome that a chat request would have now, by the rules of admission. Counts, holds, logs and sends
 * nothing.
 * @throws Refusal for a request that would be refused before admission.
 */
export async function previewCall(
  context: PreviewContext,
  call: Pick<IncomingCall<CompletionRequest>, "caller" | "request" | "projectId">,
): Promise<CallPreview> {
  const { caller, request, projectId } = call;
  const model = findAllowedModel(context, projectId, request.fields.model, caller.scope);
  refuseCallback(request.fields);
  const estimate = await request.estimate(findCounting(context, model, projectId));
  const { admissions, promptCounter } = context;
  let admissionRequest = describeForAdmission(context, call, model, estimate);
  const countFiner = async () => {
    admissionRequest = await promptCounter.count(model, request, admissionRequest);
  };
  const isTight = await admissions.isTight(admissionRequest);
  if (isTight) await countFiner();
  let admission = await admissions.preview(admissionRequest);
  if (!isTight && isRefusedByTokens(admission.refusal)) {
    await countFiner();
    admission = await admissions.preview(admissionRequest);
  }
  const { holdAmount, maxOutputTokens, estimatedTokens, limits } = admission;
  const routes = model.routes.filter((route) => isRunning(route, context.links.nowMs()));
  const refusal = findCircuitRefusal(context, routes) ?? admission.refusal;
  return {
    object: "chat.completion.preview",
    model: model.id,
    project_id: projectId,
    prompt_tokens: admissionRequest.promptTokens,
    estimated_tokens: estimatedTokens,
    max_output_tokens: maxOutputTokens,
    currency: context.organization.currency,
    hold: formatAmount(holdAmount),
    expected_charge: formatAmount(computeExpectedCharge(admissionRequest)),
    limits: limits.map(({ field, max, used, requested }) => ({ field, max, used, requested })),
    refusal: refusal && describeRefusal(refusal.asSeenBy(caller.permissionsIn)),
  };
}

/** The error of the refused call, without the id of a request that was never made. */
export function describeRefusal(refusal: Refusal): NonNullable<CallPreview["refusal"]> {
  const { message, type, code, limit, balance, spend_limit, circuit } = refusal.body("").error;
  return {
    status: refusal.status,
    message,
    type,
    code,
    ...(limit && { limit }),
    ...(balance && { balance }),
    ...(spend_limit && { spend_limit }),
    ...(circuit && { circuit }),
  };
}
