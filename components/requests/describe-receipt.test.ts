import { expect, test } from "bun:test";
import type { RequestCheck } from "@/lib/contract/operations/calls/receipt-parts";
import type { RequestReceipt } from "@/lib/contract/operations/calls/requests";
import { describeReceipt } from "./describe-receipt";

const refusedBy = (check: Partial<RequestCheck>, refused_by: string | null = null) =>
  describeReceipt({
    request: { outcome: "refused", currency: "USD", refused_by },
    checks: [{ verdict: "refused", value: null, limit: null, needed: null, window: null, ...check }],
    resets_in_ms: 12_000,
  } as RequestReceipt);

test("a used-up limit shows the amount needed, the amount left, and the limit that would have sufficed", () => {
  const tokens = { check: "max_tokens_per_1_minute", window: "minute" } as const;
  expect(refusedBy({ ...tokens, value: "397850", limit: "400000", needed: "18400" })).toEqual({
    title: "Tokens per minute is used up",
    sentence: "It needed 18,400 tokens, and 2,150 of 400,000 were left.",
    mend: "A limit of 416,250 or more would have let it through.",
  });
  // If more was used than the limit now allows, zero is left, not a negative number.
  expect(refusedBy({ ...tokens, value: "9", limit: "5", needed: "1" }).sentence).toBe(
    "It needed 1 token, and 0 of 5 were left.",
  );
  expect(refusedBy({ ...tokens, value: "0", limit: "5", needed: "6" })).toMatchObject({
    title: "Tokens per minute is less than this call needs",
    mend: "A limit of 6 or more lets it through, or a smaller call.",
  });
});

test("figures that were not recorded, or are not this reader's to see, are not made up", () => {
  expect(refusedBy({ check: "max_requests_per_1_day", window: "day" }).sentence).toBe(
    "The figures were not recorded.",
  );
  expect(refusedBy({ check: "balance", needed: "0.25" }).sentence).toBe("It needed at least 0.25 USD.");
  expect(refusedBy({ check: "balance", needed: "0.25", value: "0.1" }).sentence).toBe(
    "It needed at least 0.25 USD, and 0.10 USD was available.",
  );
  expect(refusedBy({ check: "spend_limit", window: "month", needed: "1" }).sentence).toBe(
    "It needed at least 1.00 USD.",
  );
});

test("a canceled task is not told as a client that left", () => {
  const request = { outcome: "client_gone", amount: null, duration_ms: 2100, currency: "USD", units: null };
  const told = (task_id: string | null) => describeReceipt({ request, checks: [], task_id } as never);
  expect(told("task_1")).toMatchObject({
    title: "The task was canceled after 2.10 s",
    sentence: "It cost nothing.",
  });
  expect(told(null).title).toBe("The client left after 2.10 s");
});

test("an ended call shows its outcome and cost", () => {
  const ended = (request: object) =>
    describeReceipt({
      request: { currency: "USD", units: null, unit: null, ...request },
      checks: [],
    } as never);
  const usage = { prompt_tokens: 1204, completion_tokens: 3 };
  expect(ended({ outcome: "completed", amount: "0.0000045", duration_ms: 2100, ...usage })).toMatchObject({
    title: "Completed in 2.10 s",
    sentence: "It cost 0.0000045 USD: 1,204 tokens in, 3 out.",
  });
  const spoken = { prompt_tokens: 0, completion_tokens: 0, units: "42.00", unit: "character" };
  expect(ended({ outcome: "completed", amount: "0.00042", duration_ms: 90, ...spoken })).toMatchObject({
    sentence: "It cost 0.00042 USD: 42 characters.",
  });
  expect(
    ended({ outcome: "provider_failed", amount: null, duration_ms: null, prompt_tokens: null }),
  ).toMatchObject({
    title: "The provider failed",
    sentence: "It cost nothing.",
  });
});

test("a request refused before its limits were checked names the invalid field", () => {
  expect(refusedBy({ check: "request", value: "messages" }, "missing_field").sentence).toBe(
    "The field messages was refused (missing_field). Nothing was sent and nothing was charged.",
  );
  expect(refusedBy({ check: "request" }, "invalid_json").sentence).toStartWith(
    "It was refused (invalid_json).",
  );
  expect(refusedBy({ check: "model", value: "gpt-none" }, "model_not_found")).toMatchObject({
    title: "The model can’t be called",
    sentence: "There is no model gpt-none.",
  });
});

test("other limits that would have refused are named beside the one that did", () => {
  const limit = { window: "minute", value: "5", limit: "5", needed: "1" } as const;
  const mendOf = (...others: string[]) =>
    describeReceipt({
      request: { outcome: "refused", currency: "USD", refused_by: null },
      checks: [
        ...others.map((check) => ({ check, verdict: "would_refuse", ...limit })),
        { check: "max_requests_per_1_minute", verdict: "refused", ...limit },
      ],
    } as RequestReceipt).mend;
  const mend = "A limit of 6 or more would have let it through.";
  expect(mendOf()).toBe(mend);
  expect(mendOf("max_requests_per_1_day")).toBe(`${mend} Requests per day would have refused it too.`);
  expect(mendOf("max_tokens_per_1_minute", "max_requests_per_1_day")).toBe(
    `${mend} Tokens per minute and Requests per day would have refused it too.`,
  );
});
