import type { ErrorCode, ErrorStatus } from "@/lib/contract/errors";
import { Refusal } from "../../refusal";

const CLOSE = { headers: { connection: "close" } };

/** A request that breaks the rules of HTTP/1.1. Where its body ends is unknown, so its connection is closed. */
export function malformedRequest(message: string, status: ErrorStatus = 400): Refusal {
  return refusal(status, "malformed_request", `${message} Send HTTP/1.1 as RFC 9112 defines it.`);
}

export function headTooLarge(message: string, status: 414 | 431): Refusal {
  return refusal(status, "head_too_large", message);
}

export function headTooSlow(): Refusal {
  return refusal(408, "head_too_slow", "The request's head did not arrive in time. Send it at once.");
}

export function unknownExpectation(): Refusal {
  const message = "The header Expect asks for something other than 100-continue. Leave it out.";
  return refusal(417, "expectation_failed", message);
}

function refusal(status: ErrorStatus, code: ErrorCode, message: string): Refusal {
  return new Refusal(status, "invalid_request_error", code, message, CLOSE);
}
