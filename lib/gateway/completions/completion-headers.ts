import type { Admissions } from "../admission/admission";
import { rateLimitHeaders } from "../admission/rate-limit-headers";
import type { CatalogueModel } from "../models/catalogue";
import type { RateLimitMirror } from "../rate-limits/rate-limit-mirror";
import type { Order } from "./order";

export interface HeadersContext {
  readonly admissions: Pick<Admissions, "windowsOf" | "now">;
  readonly rateLimitMirror: Pick<RateLimitMirror, "limitsOf">;
}

/** What every reply says once its model is known: its request, and the limits as they are now. */
export function completionHeaders(
  { admissions, rateLimitMirror }: HeadersContext,
  { projectId, exchange }: Pick<Order, "projectId" | "exchange">,
  model: CatalogueModel,
): Record<string, string> {
  const windows = admissions.windowsOf(projectId, model.id);
  const limits = rateLimitMirror.limitsOf(projectId, model);
  const headers: Record<string, string> = rateLimitHeaders(limits, windows, admissions.now());
  headers["x-request-id"] = exchange.requestId;
  return headers;
}
