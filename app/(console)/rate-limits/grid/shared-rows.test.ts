import { expect, test } from "bun:test";
import { builtInRateLimits } from "@/lib/contract/calls/rate-limit-table";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import type { RateLimitDefault } from "@/lib/contract/operations/models/rate-limit-defaults";
import type { LimitPlanObject } from "@/lib/contract/operations/models/rate-limit-plans";
import { nameTarget, targetKey } from "./limit-pair";
import { listSharedRows, readPlanLimits } from "./use-limit-pairs";

const model = (id: string) =>
  ({
    id,
    family: "chat",
    routes: [],
    default_rate_limits: { ...builtInRateLimits, max_requests_per_1_minute: 90 },
  }) as unknown as OrganizationModel;
const every: RateLimitDefault = {
  object: "rate_limit.default",
  id: "organization",
  model: null,
  ...builtInRateLimits,
  own_fields: [],
  inherited: builtInRateLimits,
};
const trial: LimitPlanObject = {
  object: "rate_limit.plan",
  id: "rlplan_1",
  name: "Trial",
  created_at: 1,
  projects: 2,
  limits: [
    { model: null, max_requests_per_1_minute: 20, max_requests_per_1_day: 100 },
    { model: "gpt-5", max_requests_per_1_minute: 5 },
  ],
};

test("a plan's row of a model has what it sets, over what it sets for every model, over the model's default", () => {
  const rows = listSharedRows(
    { models: [model("gpt-5"), model("gpt-6")], defaults: [every], plans: [trial] },
    false,
  );
  const [ofDefaults, ofEvery, five, six] = rows;
  expect(ofDefaults).toMatchObject({ kind: "default", model: "", ownFields: [] });
  expect(ofEvery).toMatchObject({
    limits: { max_requests_per_1_minute: 20 },
    defaults: { max_requests_per_1_minute: 600 },
  });
  expect(five).toMatchObject({
    limits: { max_requests_per_1_minute: 5, max_requests_per_1_day: 100 },
    ownFields: ["max_requests_per_1_minute"],
    defaults: { max_requests_per_1_minute: 20, max_requests_per_1_day: 100 },
  });
  expect(six).toMatchObject({ limits: { max_requests_per_1_minute: 20 }, ownFields: [] });
  expect(readPlanLimits(trial, "gpt-5")).toEqual({
    max_requests_per_1_minute: 5,
    max_requests_per_1_day: 100,
  });
});

test("each row's key is that of what a request or reply names", () => {
  const rows = listSharedRows({ models: [model("gpt-5")], defaults: [every], plans: [trial] }, false);
  expect(rows.map(nameTarget)).toEqual([
    { default_id: "organization" },
    { plan_id: "rlplan_1", model: null },
    { plan_id: "rlplan_1", model: "gpt-5" },
  ]);
  for (const row of rows) expect(targetKey(nameTarget(row))).toBe(row.key);
});
