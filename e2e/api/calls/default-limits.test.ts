import { afterEach, expect, test } from "bun:test";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";

/** The limits of a model and project where neither the model nor the configuration file sets any. */
const defaults = {
  max_requests_per_1_minute: 600,
  max_tokens_per_1_minute: 1_000_000,
  max_images_per_1_minute: null,
  max_audio_megabytes_per_1_minute: null,
  max_requests_per_1_day: null,
  batch_1_day_max_input_tokens: null,
};

let gateway: ServedGateway;
afterEach(() => gateway.close());

const chatModel = {
  family: "chat",
  rate: "1",
  price: { input_per_1m: "1", output_per_1m: "1" },
  routes: [{ provider: "sandbox", model: "sandbox-echo" }],
};

/** The limits of each model in a project, by the model's id. */
async function limitsIn(projectId: string): Promise<ReadonlyMap<string, object>> {
  const path = `/organization/projects/${projectId}/rate_limits?limit=1000`;
  const { data } = await gateway.admin<{ data: { model: string }[] }>("GET", path);
  return new Map(data.map((limits) => [limits.model, limits]));
}

test("each model of a fresh gateway has the default limits in each project, new ones too", async () => {
  gateway = await serveGateway();
  await gateway.admin("POST", "/organization/models", { id: "added", ...chatModel });
  const { id } = await gateway.admin<{ id: string }>("POST", "/organization/projects", { name: "Research" });
  for (const project of [gateway.projectId, id]) {
    const limits = await limitsIn(project);
    expect(limits.has("added")).toBe(true);
    for (const [model, values] of limits) expect(values).toMatchObject({ model, ...defaults });
  }
});

test("the configuration file replaces single defaults, and a model's own limits replace those", async () => {
  const config = {
    defaults: { rate_limits: { max_requests_per_1_minute: 60, max_tokens_per_1_minute: 9_000 } },
    models: [
      { id: "usual", ...chatModel },
      { id: "slow", ...chatModel, rate_limits: { max_requests_per_1_minute: 7, max_requests_per_1_day: 50 } },
    ],
  };
  gateway = await serveGateway({ config: JSON.stringify(config) });
  const limits = await limitsIn(gateway.projectId);
  const usual = { ...defaults, ...config.defaults.rate_limits };
  expect(limits.get("usual")).toMatchObject(usual);
  expect(limits.get("slow")).toMatchObject({
    ...usual,
    max_requests_per_1_minute: 7,
    max_requests_per_1_day: 50,
  });
});
