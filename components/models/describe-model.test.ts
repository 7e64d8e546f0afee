import { expect, test } from "bun:test";
import { builtInRateLimits } from "@/lib/contract/calls/rate-limit-table";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import { explainUncallable, filterModels, formatWorth } from "./describe-model";

function model(id: string, change: Partial<OrganizationModel> = {}): OrganizationModel {
  return {
    object: "organization.model",
    id,
    family: "chat",
    description: null,
    currency: "USD",
    rate: "0.20",
    batch_rate: null,
    audio_price: null,
    price: { input_per_1m: "1.00", output_per_1m: "2.00" },
    unit_price: null,
    price_set_at: null,
    max_output_tokens: 4096,
    context_window: null,
    routes: [{ provider: "ollama", model: "llama3" }],
    projects: null,
    input_modalities: null,
    source: "database",
    sandbox: false,
    default_rate_limits: builtInRateLimits,
    ...change,
  };
}

test("a payment of one is worth one divided by the model rate, to the nano-unit", () => {
  expect(formatWorth({ rate: "0.20" })).toBe("5.00");
  expect(formatWorth({ rate: "0.3" })).toBe("3.333333333");
  expect(formatWorth({ rate: "2" })).toBe("0.50");
});

test("a model with a price of its kind can be called; a free one too", () => {
  const free = { input_per_1m: "0", output_per_1m: "0" };
  expect(explainUncallable(model("chatter", { price: free }))).toBeNull();
  expect(explainUncallable(model("chatter", { price: null }))).toMatch(/no list price/);
  const unit_price = { unit: "image", amount: "0.04" } as const;
  expect(explainUncallable(model("painter", { family: "image", price: null, unit_price }))).toBeNull();
  expect(explainUncallable(model("painter", { family: "image", price: null }))).toMatch(/no list price/);
  expect(explainUncallable(model("ear", { family: "transcription", price: free }))).toBeNull();
  expect(explainUncallable(model("finder", { family: "embedding", price: free }))).toBeNull();
});

test("a filter looks at the id, the source and where calls go", () => {
  const models = [
    model("local/llama"),
    model("gpt", { source: "config", routes: [{ provider: "openai", model: "gpt" }] }),
  ];
  const found = (filter: string) => filterModels(models, filter).map(({ id }) => id);
  expect(found("OLLAMA")).toEqual(["local/llama"]);
  expect(found("configuration")).toEqual(["gpt"]);
  expect(found("added llama3")).toEqual(["local/llama"]);
  expect(found("added openai")).toEqual([]);
  expect(found(" ")).toEqual(["local/llama", "gpt"]);
});
