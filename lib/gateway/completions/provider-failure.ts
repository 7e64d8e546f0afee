import { Refusal } from "../ports/refusal";

const SHOWN_CHARACTERS = 500;

/** 502: the provider can't be reached, or what it sent makes no sense. The cause is for the operator's log alone. */
export function providerFailed(cause: unknown): Refusal {
  const message = "The model's provider failed to answer. You were not charged for it; try again.";
  const refusal = new Refusal(502, "service_error", "provider_error", message);
  refusal.cause = cause;
  return refusal;
}

/** 502, for a reply that broke off. */
export function providerBrokeOff(): Refusal {
  const message =
    "The model's provider broke off. You pay only for what was generated until then; try again.";
  return new Refusal(502, "service_error", "provider_error", message);
}

/** 503: the provider has as many calls of ours as it may have at a time. Nothing was sent. */
export function providerSaturated(): Refusal {
  const message = "The model's provider has as many calls as it may have at a time. Try again in a second.";
  const details = { headers: { "retry-after": "1" } };
  return new Refusal(503, "service_error", "provider_saturated", message, details);
}

/** 504: the provider accepted no connection in time. */
export function providerUnreachable(cause: unknown): Refusal {
  const message = "The model's provider can't be reached. You were not charged; try again.";
  const refusal = new Refusal(504, "service_error", "provider_timeout", message);
  refusal.cause = cause;
  return refusal;
}

/** 504: the provider was too slow. */
export function providerTooSlow(): Refusal {
  const message = "The model's provider was too slow. Try again, or ask for less output.";
  return new Refusal(504, "service_error", "provider_timeout", message);
}

/**
 * A provider's error reply in the gateway's words. What it finds wrong with the request (400, 413, 422) is the caller's to
 * mend and is passed on; its 429 stays one, so that clients slow down; anything else, its view of our key above all, is a 502.
 */
export function refusalOfReply(status: number, headers: Headers, body: string): Refusal {
  if (status === 429) {
    const seconds = /^\d{1,5}$/.exec(headers.get("retry-after") ?? "")?.[0] ?? "1";
    const message = `The model's provider takes no more calls right now. Try again in ${seconds} s.`;
    const details = { headers: { "retry-after": seconds } };
    return new Refusal(429, "rate_limit_error", "provider_error", message, details);
  }
  if (status === 408 || status === 504) return providerTooSlow();
  if (status !== 400 && status !== 413 && status !== 422) {
    return providerFailed(`The provider answered ${status}`);
  }
  const { message, param } = readError(body);
  const words = message ?? `status ${status}, without a reason`;
  return new Refusal(400, "invalid_request_error", "provider_error", `The provider refused: ${words}`, {
    param,
  });
}

function readError(body: string): { message?: string; param?: string } {
  try {
    const { error } = JSON.parse(body) as { error?: { message?: unknown; param?: unknown } };
    return {
      ...(typeof error?.message === "string" && { message: error.message.slice(0, SHOWN_CHARACTERS) }),
      ...(typeof error?.param === "string" && { param: error.param.slice(0, SHOWN_CHARACTERS) }),
    };
  } catch {
    return {};
  }
}
