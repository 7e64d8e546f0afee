import { expect, test } from "bun:test";
import type { OrganizationModel } from "@/lib/contract/operations/models";
import type { RateLimit } from "@/lib/contract/operations/rate-limits";
import { builtInRateLimits } from "@/lib/contract/rate-limit-table";
import { findChangedLimit } from "./find-changed-limit";

const model: OrganizationModel = {
  object: "organization.model",
  id: "echo",
  family: "chat",
  description: null,
  currency: "USD",
  rate: "1",
  batch_rate: null,
  audio_price: null,
  price: null,
  unit_price: null,
  price_set_at: null,
  max_output_tokens: 1,
  context_window: null,
  routes: [],
  source: "built_in",
  sandbox: true,
  default_rate_limits: builtInRateLimits,
};
const limit: RateLimit = { object: "project.rate_limit", id: "rl_echo", model: "echo", ...builtInRateLimits };

test("default limits of models are not shown as changes", () => {
  expect(findChangedLimit([limit], [model])).toBeUndefined();
});

test.each([{ max_requests_per_1_minute: 3 }, { max_requests_per_1_day: 0 }])(
  "%j is found as a change",
  (change) => {
    const changed = { ...limit, ...change };
    expect(findChangedLimit([limit, changed], [model])).toBe(changed);
  },
);

test("a limit of a model that is not listed is not taken for a changed one", () => {
  expect(findChangedLimit([limit], [])).toBeUndefined();
});
