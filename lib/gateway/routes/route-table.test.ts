import { expect, test } from "bun:test";
import { operationTable } from "@/lib/contract/operation-table";
import { createRouteTable } from "./route-table";

const routes = createRouteTable();
const findId = (method: string, path: string) => routes.find(method, path)?.operation.id ?? null;

test("every operation is found under /v1, and at the origin only where its surface says so", () => {
  for (const { id, method, path, surface } of operationTable) {
    const filledPath = path.replace(/\{\w+\}/g, "some-id");
    for (const slash of ["", "/"]) {
      expect(findId(method, `/v1${filledPath}${slash}`)).toBe(id);
      expect(findId(method, filledPath + slash)).toBe(surface === "v1 and origin" ? id : null);
    }
  }
});

test("a segment is decoded once, and never leaves its place", () => {
  const params = (path: string) => routes.find("POST", path)?.params;
  expect(params("/organization/projects/proj_1/rate_limits/meta%2FLlama%203")).toEqual({
    project_id: "proj_1",
    rate_limit_id: "meta/Llama 3",
  });
  expect(params("/organization/projects/%2e%2e/rate_limits/%252f")).toEqual({
    project_id: "..",
    rate_limit_id: "%2f",
  });
  expect(params("/organization/projects/proj_1/rate_limits/%252E%252e")?.rate_limit_id).toBe("..");
  expect(params("/organization/projects/proj_1/rate_limits/a/b%2Fc")?.rate_limit_id).toBe("a/b/c");
  expect(params("/organization/projects/a/b/rate_limits/c")).toBeUndefined();
  expect(params("/organization/projects/proj_1/rate_limits/a/%ff")).toBeUndefined();
  expect(params("/organization/projects//rate_limits/x")).toBeUndefined();
});

test.each(["%", "%zz", "%ff", "%c3%28"])("a malformed %s in a segment leads nowhere", (segment) => {
  expect(findId("GET", `/organization/roles/${segment}`)).toBeNull();
  expect(routes.allowedMethods(`/organization/roles/${segment}`)).toEqual([]);
});

test("a path lists its methods", () => {
  expect(routes.allowedMethods("/v1/organization/roles/role_1/")).toEqual(["GET", "POST", "DELETE"]);
  expect(routes.allowedMethods("/v1/chat/completions")).toEqual(["POST"]);
  expect(routes.allowedMethods("/chat/completions")).toEqual([]);
  expect(findId("PUT", "/v1/organization/roles")).toBeNull();
});
