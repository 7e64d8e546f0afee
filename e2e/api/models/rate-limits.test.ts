import { expect, test } from "bun:test";
import type OpenAI from "openai";
import {
  catchRefusal,
  collectAll,
  expectRefusals,
  officialClient,
} from "../../support/clients/official-client";
import { serveForAll } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";

let gateway: ServedGateway;
let rateLimits: OpenAI["admin"]["organization"]["projects"]["rateLimits"];

serveForAll((served) => {
  gateway = served;
  ({ rateLimits } = createClient(gateway.adminKey).admin.organization.projects);
});

function createClient(key: string): OpenAI {
  return officialClient(gateway.baseUrl, key);
}

test("the official SDK lists and changes rate limits, which hold from the next call on", async () => {
  const listed = await collectAll(rateLimits.listRateLimits(gateway.projectId, { limit: 3 }));
  expect(listed[0]).toMatchObject({
    object: "project.rate_limit",
    id: "rl_sandbox-echo",
    model: "sandbox-echo",
    max_requests_per_1_minute: 600,
    max_images_per_1_minute: null,
  });
  expect(new Set(listed.map(({ id }) => id)).size).toBe(listed.length);
  const [first, second, third] = listed.map(({ id }) => id);
  const page = async (query: { after?: string; before?: string; limit?: number }) =>
    (await rateLimits.listRateLimits(gateway.projectId, query)).data.map(({ id }) => id);
  expect(await page({ after: first ?? "", limit: 1 })).toEqual([second ?? ""]);
  expect(await page({ before: third ?? "", limit: 1 })).toEqual([second ?? ""]);
  const save = (id: string, change: object) =>
    rateLimits.updateRateLimit(id, { project_id: gateway.projectId, ...change });
  await save("rl_sandbox-slow", { max_requests_per_1_day: 7 });
  expect(await save("sandbox-slow", { max_requests_per_1_minute: 0 })).toMatchObject({
    id: "rl_sandbox-slow",
    max_requests_per_1_minute: 0,
    max_requests_per_1_day: 7,
    max_tokens_per_1_minute: 1_000_000,
  });
  const asked = createClient(gateway.key).chat.completions.create({
    model: "sandbox-slow",
    messages: [{ role: "user", content: "x" }],
  });
  expect(await catchRefusal(asked)).toMatchObject({ status: 429, code: "max_requests_per_1_minute" });
  expect(await save("rl_sandbox-slow", { max_requests_per_1_day: null })).toMatchObject({
    max_requests_per_1_day: null,
    max_requests_per_1_minute: 0,
  });
  const cases: [PromiseLike<unknown>, object][] = [
    [save("rl_none", { max_requests_per_1_minute: 1 }), { status: 404, param: "rate_limit_id" }],
    [
      save("rl_sandbox-slow", { max_requests_per_1_minute: null }),
      { status: 400, param: "max_requests_per_1_minute" },
    ],
    [
      save("rl_sandbox-slow", { max_tokens_per_1_minute: -1 }),
      { status: 400, param: "max_tokens_per_1_minute" },
    ],
    [
      save("rl_sandbox-slow", { max_images_per_1_minute: 1.5 }),
      { status: 400, param: "max_images_per_1_minute" },
    ],
    [save("rl_sandbox-slow", { max_images_per_1_minute: 2 ** 53 }), { status: 400 }],
    [save("rl_sandbox-slow", { model: "x" }), { status: 400, code: "unknown_field", param: "model" }],
    [rateLimits.listRateLimits("proj_none"), { status: 404, param: "project_id" }],
    [
      createClient(gateway.key).admin.organization.projects.rateLimits.updateRateLimit("sandbox-slow", {
        project_id: gateway.projectId,
        max_requests_per_1_minute: 9,
      }),
      { status: 403 },
    ],
  ];
  await expectRefusals(cases);
});
