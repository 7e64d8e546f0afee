import { expect, test } from "bun:test";
import { newCallState } from "@/components/playground/messages/message";
import { newPane } from "@/components/playground/panes/pane";
import { builtInRateLimits } from "@/lib/contract/calls/rate-limit-table";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import { describeListPrice } from "./found-models";
import { findExactModel, listModels, listRecentModels } from "./list-models";

function model(id: string, change: Partial<OrganizationModel> = {}): OrganizationModel {
  return {
    object: "organization.model",
    id,
    family: "chat",
    description: null,
    currency: "USD",
    rate: "1",
    batch_rate: null,
    audio_price: null,
    price: { input_per_1m: "1.25", output_per_1m: "10" },
    unit_price: null,
    price_set_at: null,
    max_output_tokens: 4096,
    context_window: null,
    routes: [{ provider: "openai", model: id }],
    projects: null,
    input_modalities: null,
    source: "database",
    sandbox: false,
    default_rate_limits: builtInRateLimits,
    ...change,
  };
}

const sandbox = model("sandbox-chat", { sandbox: true, routes: [{ provider: "sandbox", model: "chat" }] });
const painter = model("painter", { family: "image" });
const models = [sandbox, model("gpt-5-mini"), model("gpt-5"), painter];
const show = (search: string, recent: string[] = []) =>
  listModels(models, search, recent).groups.map(({ label, models: shown }) => [
    label,
    ...shown.map(({ id }) => id),
  ]);

test("models are grouped by family, and those of the sandbox come last", () => {
  expect(show("")).toEqual([
    ["Chat", "gpt-5-mini", "gpt-5"],
    ["Image", "painter"],
    ["Chat · sandbox, not an AI", "sandbox-chat"],
  ]);
});

test("models are found by id, provider and family", () => {
  expect(show("GPT mini")).toEqual([["Chat", "gpt-5-mini"]]);
  expect(show("openai image")).toEqual([["Image", "painter"]]);
  expect(show("nothing like it")).toEqual([]);
});

test("a typed id comes before models of which only the provider or its name for them fits", () => {
  const elsewhere = model("first", { routes: [{ provider: "sandbox", model: "sandbox-chat" }] });
  const [group] = listModels([elsewhere, model("sandbox-chat")], "sandbox-chat", []).groups;
  expect(group?.models.map(({ id }) => id)).toEqual(["sandbox-chat", "first"]);
});

test("recent models come first, once there are two of them and nothing is typed", () => {
  expect(show("", ["painter", "removed", "gpt-5"])).toEqual([
    ["In this conversation", "painter", "gpt-5"],
    ["Chat", "gpt-5-mini"],
    ["Chat · sandbox, not an AI", "sandbox-chat"],
  ]);
  expect(show("", ["painter", "removed"])[0]).toEqual(["Chat", "gpt-5-mini", "gpt-5"]);
  expect(show("painter", ["painter", "gpt-5"])).toEqual([["Image", "painter"]]);
});

test("recent are the models of the panes, and those that answered before, the latest first", () => {
  const answer = (name: string) => ({
    id: name,
    role: "assistant" as const,
    text: name,
    call: newCallState(name, {}),
  });
  const first = { ...newPane("a"), messages: [answer("x"), answer("y"), answer("a")] };
  expect(listRecentModels([first, newPane("b")])).toEqual(["a", "b", "y", "x"]);
});

test("at most 200 models are listed, and the others are counted", () => {
  const many = Array.from({ length: 230 }, (_, index) => model(`model-${index}`));
  const { groups, left } = listModels(many, "", ["model-229", "model-228"]);
  expect(groups.flatMap((group) => group.models).length).toBe(200);
  expect(left).toBe(30);
});

test("Enter chooses the model with exactly the typed id, else the first", () => {
  const found = models.slice(1, 3);
  expect(findExactModel(found, " GPT-5 ")).toBe(1);
  expect(findExactModel(found, "gpt")).toBe(0);
});

test("prices are by tokens or by the unit, with a rate other than one, or free", () => {
  const perUnit = { unit: "image", amount: "0.04", qualities: { hd: "0.080" } } as const;
  expect(describeListPrice(model("a"))).toEqual({ amount: "1.25 in, 10.00 out", unit: "USD per 1M tokens" });
  expect(describeListPrice(model("a", { family: "embedding", rate: "0.2" }))).toEqual({
    amount: "1.25 in",
    unit: "USD per 1M tokens × rate 0.20",
  });
  expect(describeListPrice({ ...painter, price: null, unit_price: perUnit })).toEqual({
    amount: "0.04, hd 0.08",
    unit: "USD per image",
  });
  expect(describeListPrice(model("a", { price: { input_per_1m: "0", output_per_1m: "0.00" } })).amount).toBe(
    "Free",
  );
});
