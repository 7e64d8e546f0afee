import { describe, expect, test } from "bun:test";
import OpenAI from "openai";
import { rateLimitFields } from "@/lib/contract/calls/rate-limit-table";
import { send } from "../../support/clients/send";
import { serveForAll } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";

/** The specification's sections 2.5, 2.6, 4.3 and 4.4: the two administrative operations. */
let gateway: ServedGateway;
let client: OpenAI;
let origin: string;

serveForAll((served) => {
  gateway = served;
  ({ origin } = new URL(gateway.baseUrl));
  client = new OpenAI({ baseURL: gateway.baseUrl, apiKey: gateway.key, adminAPIKey: gateway.adminKey });
});

const six = {
  max_requests_per_1_minute: 60,
  max_tokens_per_1_minute: 1_000,
  max_images_per_1_minute: 6,
  max_audio_megabytes_per_1_minute: 5,
  max_requests_per_1_day: 800,
  batch_1_day_max_input_tokens: 10_000,
};
const buildPath = (id: string) => `/organization/projects/${gateway.projectId}/rate_limits/${id}`;
const post = (path: string, body: unknown, { at = gateway.baseUrl, key = gateway.adminKey } = {}) =>
  send(`${at}${path}`, { method: "POST", key, body });
const setLimit = (body: unknown) => post(buildPath("rl_sandbox-echo"), body);
const createRole = (body: unknown, path = "/organization/roles/") => post(path, body);
let made = 0;
const role = (changes: object = {}) => ({
  role_name: `Role ${++made}`,
  description: "Reads groups",
  permissions: ["api.groups.read"],
  ...changes,
});

describe("2.5 Project rate limit", () => {
  test("it has the fields of the table", async () => {
    const { status, body } = await setLimit(six);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      object: "project.rate_limit",
      id: "rl_sandbox-echo",
      model: "sandbox-echo",
      ...six,
    });
  });

  test("the request carries the six numeric fields, not object, id and model", async () => {
    expect(Object.keys(six).toSorted()).toEqual([...rateLimitFields].toSorted());
    for (const field of ["object", "id", "model"])
      expect(await setLimit({ ...six, [field]: "x" })).toMatchObject({
        status: 400,
        error: { param: field },
      });
  });

  test.each(Object.keys(six))(
    "%s is an integer, by itself too, and 0 lets nothing through",
    async (field) => {
      for (const value of ["7", 7.5, -1, true, 2 ** 53])
        expect(await setLimit({ [field]: value })).toMatchObject({ status: 400, error: { param: field } });
      for (const value of [7, 0]) {
        const { status, body } = await setLimit({ [field]: value });
        expect([status, body[field]]).toEqual([200, value]);
      }
      await setLimit(six);
    },
  );

  test("a request without any of them is refused, and changes nothing", async () => {
    expect((await setLimit({})).status).toBe(400);
    expect((await setLimit(six)).body).toMatchObject(six);
  });
});

describe("4.3 Set project rate limit", () => {
  test.each([
    ["the root", () => origin],
    ["the base address", () => gateway.baseUrl],
  ])("it is at the path below %s, with a slash at its end or not", async (_, at) => {
    for (const end of ["", "/"]) {
      const { status, body } = await post(`${buildPath("rl_sandbox-echo")}${end}`, six, { at: at() });
      expect([status, body.object]).toEqual([200, "project.rate_limit"]);
    }
  });

  test("the two segments name the project and the rate limit", async () => {
    for (const path of [
      "/organization/projects/proj_none/rate_limits/rl_sandbox-echo",
      buildPath("rl_no-such-model"),
    ])
      expect((await post(path, six)).status).toBe(404);
  });

  test("the official SDK sets and lists it", async () => {
    const limits = client.admin.organization.projects.rateLimits;
    const saved = await limits.updateRateLimit("rl_sandbox-chat", {
      project_id: gateway.projectId,
      max_requests_per_1_minute: 9,
    });
    expect(saved).toMatchObject({ object: "project.rate_limit", max_requests_per_1_minute: 9 });
    const listed = await limits.listRateLimits(gateway.projectId, { limit: 100 });
    expect(listed.data.find(({ id }) => id === "rl_sandbox-chat")).toMatchObject(saved);
  });

  test.each(["PUT", "PATCH", "DELETE"])("%s is not its method", async (method) => {
    const reply = await send(`${origin}${buildPath("rl_sandbox-echo")}`, {
      method,
      key: gateway.adminKey,
      body: six,
    });
    expect(reply.status).toBe(405);
  });
});

describe("2.6 Role", () => {
  test("it has the fields of the table", async () => {
    const draft = role();
    const { status, body } = await createRole(draft);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      object: "role",
      id: expect.stringMatching(/^role_/),
      name: draft.role_name,
      description: "Reads groups",
      permissions: ["api.groups.read"],
      resource_type: "api.organization",
      predefined_role: false,
    });
  });

  test("a built-in role says that it is, and can't be changed", async () => {
    const { data } = await gateway.admin<{ data: { id: string; name: string; predefined_role: boolean }[] }>(
      "GET",
      "/organization/roles?limit=100",
    );
    const owner = data.find(({ name }) => name === "Owner");
    expect(owner?.predefined_role).toBe(true);
    expect((await post(`/organization/roles/${owner?.id}`, { role_name: "Mine" })).status).toBe(403);
  });

  test.each([
    ["role_name", { role_name: undefined }],
    ["role_name", { role_name: "" }],
    ["role_name", { role_name: 7 }],
    ["permissions", { permissions: undefined }],
    ["permissions", { permissions: "api.groups.read" }],
    ["permissions.0", { permissions: ["api.groups.raed"] }],
    ["description", { description: 7 }],
    ["colour", { colour: "red" }],
  ])("a wrong %s is refused by its name", async (param, changes) => {
    expect(await createRole(role(changes))).toMatchObject({ status: 400, error: { param } });
  });

  test("description is optional, and a name is taken once", async () => {
    const draft = role({ description: undefined });
    expect((await createRole(draft)).status).toBe(200);
    expect((await createRole(draft)).status).toBe(409);
  });
});

describe("4.4 Create role", () => {
  test.each([
    ["/organization/roles/", () => origin],
    ["/organization/roles", () => origin],
    ["/organization/roles/", () => gateway.baseUrl],
  ])("POST %s creates one", async (path, at) => {
    const { status, body } = await post(path, role(), { at: at() });
    expect([status, body.object]).toEqual([200, "role"]);
  });

  test("the official SDK creates one", async () => {
    const draft = role();
    const created = await client.admin.organization.roles.create(draft);
    expect(created).toMatchObject({ object: "role", name: draft.role_name });
  });

  test("what a role permits is what its holder can do", async () => {
    const { body } = await createRole(role({ permissions: ["api.roles.read"] }));
    const { value } = await gateway.admin<{ value: string }>("POST", "/organization/admin_api_keys", {
      name: "Reader of roles",
      role: body.id,
    });
    const list = await send(`${origin}/organization/roles`, { key: value });
    expect(list.status).toBe(200);
    expect(await post("/organization/roles/", role(), { key: value })).toMatchObject({
      status: 403,
      error: { type: "permission_error" },
    });
  });
});
