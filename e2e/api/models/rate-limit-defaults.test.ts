import { expect, test } from "bun:test";
import type { RateLimitDefault } from "@/lib/contract/operations/models/rate-limit-defaults";
import { serveForAll } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";

let gateway: ServedGateway;
serveForAll((served) => {
  gateway = served;
});

const path = (id: string) => `/organization/rate_limits/defaults/${id}`;
const limitsOf = (model: string) =>
  gateway.admin<{ own_fields: string[] }>(
    "GET",
    `/organization/projects/${gateway.projectId}/rate_limits/${model}`,
  );

test("every limit that wasn't set by hand follows its model's default, and that the organization's", async () => {
  await gateway.admin("POST", `/organization/projects/${gateway.projectId}/rate_limits/sandbox-slow`, {
    max_requests_per_1_minute: 3,
  });
  await gateway.admin("POST", path("organization"), {
    max_requests_per_1_minute: 50,
    max_requests_per_1_day: 900,
  });
  const saved = await gateway.admin("POST", path("sandbox-echo"), { max_requests_per_1_day: null });
  expect(saved).toMatchObject({
    model: "sandbox-echo",
    max_requests_per_1_minute: 50,
    max_requests_per_1_day: null,
    own_fields: ["max_requests_per_1_day"],
  });
  const expectFollowed = async () => {
    expect(await limitsOf("sandbox-echo")).toMatchObject({
      max_requests_per_1_minute: 50,
      max_requests_per_1_day: null,
      own_fields: [],
    });
    expect(await limitsOf("sandbox-slow")).toMatchObject({
      max_requests_per_1_minute: 3,
      max_requests_per_1_day: 900,
      own_fields: ["max_requests_per_1_minute"],
    });
  };
  await expectFollowed();
  await gateway.restart();
  await expectFollowed();

  const { data } = await gateway.admin<{ data: RateLimitDefault[] }>(
    "GET",
    "/organization/rate_limits/defaults?limit=2",
  );
  expect(data).toMatchObject([
    { id: "organization", model: null, max_requests_per_1_minute: 50, max_requests_per_1_day: 900 },
    { max_requests_per_1_minute: 50 },
  ]);
  await gateway.admin("POST", path("organization"), {
    max_requests_per_1_minute: "default",
    max_requests_per_1_day: "default",
  });
  expect(await limitsOf("sandbox-slow")).toMatchObject({ max_requests_per_1_day: null });
  expect(await gateway.admin("GET", path("organization"))).toMatchObject({
    max_requests_per_1_minute: 600,
    own_fields: [],
  });
  await expect(gateway.admin("POST", path("none"), { max_requests_per_1_minute: 1 })).rejects.toThrow("404");
});
