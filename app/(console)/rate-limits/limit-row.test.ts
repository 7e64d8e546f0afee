import { expect, test } from "bun:test";
import { copyLimits, hasEffect, limitFields, pickLimits } from "@/components/rate-limits/limit-fields";
import { builtInRateLimits } from "@/lib/contract/calls/rate-limit-table";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import type { RateLimit } from "@/lib/contract/operations/models/rate-limits";
import { findRow, joinModels } from "./limit-row";

function buildLimit(model: string): RateLimit {
  return { object: "project.rate_limit", id: `rl_${model}`, model, ...builtInRateLimits };
}

function buildModel(id: string, family: OrganizationModel["family"]): OrganizationModel {
  return {
    object: "organization.model",
    id,
    family,
    description: null,
    currency: "USD",
    rate: "1",
    batch_rate: null,
    audio_price: null,
    price: null,
    unit_price: null,
    price_set_at: null,
    max_output_tokens: 4_096,
    context_window: null,
    routes: [],
    projects: null,
    input_modalities: null,
    source: "database",
    sandbox: false,
    default_rate_limits: builtInRateLimits,
  };
}

const rows = joinModels(
  [buildLimit("gpt-5-mini"), buildLimit("painter"), buildLimit("rl_odd")],
  [buildModel("gpt-5-mini", "chat"), buildModel("painter", "image")],
);
const noEffect = (family: OrganizationModel["family"] | null) =>
  limitFields.filter((field) => !hasEffect(field, family)).map(({ name }) => name);

test("a model without a description keeps its limits, and none of them is marked as without effect", () => {
  expect(rows[2]).toMatchObject({ family: null, defaults: null });
  expect(noEffect(null)).toEqual([]);
});

test("every limit counts for chat models, which carry images and audio; tokens don't for image models", () => {
  expect(noEffect("chat")).toEqual([]);
  expect(noEffect("image")).toContain("max_tokens_per_1_minute");
  expect(noEffect("image")).not.toContain("max_images_per_1_minute");
});

test("an address names a rate limit by its id or by its model, even one that looks like an id", () => {
  expect(findRow(rows, "rl_gpt-5-mini")?.limit.model).toBe("gpt-5-mini");
  expect(findRow(rows, "painter")?.limit.model).toBe("painter");
  expect(findRow(rows, "rl_odd")?.limit.model).toBe("rl_odd");
  expect(findRow(rows, "absent")).toBeUndefined();
});

test("only the limits' numbers are the form's, and only the chosen ones are sent", () => {
  expect(copyLimits(buildLimit("gpt-5-mini"))).toEqual(builtInRateLimits);
  expect(pickLimits(builtInRateLimits, ["max_requests_per_1_day"])).toEqual({ max_requests_per_1_day: null });
});
