import { expect, test } from "bun:test";
import type { ErrorStatus } from "@/lib/contract/errors";
import { Refusal } from "../refusal";
import { refusalBody } from "./response";

const typeOf = (status: ErrorStatus) => {
  const refusal = new Refusal(status, "invalid_request_error", "internal_error", "No");
  return (refusalBody(refusal, "req_1", "anthropic") as { error: { type: string } }).error.type;
};

test("Anthropic's clients are told of every fault of their request as such", () => {
  for (const status of [405, 409, 412, 414, 431] as ErrorStatus[])
    expect(typeOf(status)).toBe("invalid_request_error");
  expect(typeOf(429)).toBe("rate_limit_error");
  for (const status of [500, 502] as ErrorStatus[]) expect(typeOf(status)).toBe("api_error");
});
