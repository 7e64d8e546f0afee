import { expect, test } from "bun:test";
import { operations } from "@/lib/contract/operation-table";
import { RUN_AS_HEADER } from "@/lib/contract/operations/calls/completions";
import type { Caller } from "../access/caller";
import { RequestContext } from "../http/server";
import { catchRefusal } from "../testing/catch-refusal";
import { findActingCaller } from "./call-access";

const auditors = {
  id: "role_auditors",
  name: "Auditors",
  projectId: null,
  permissions: ["api.completions.write"],
};
const graph = { findRole: (id: string) => (id === auditors.id ? auditors : undefined) };
const context = { graph, keyCache: { findById: () => null }, runtime: { clock: { nowMs: () => 0 } } };

const preview = operations.previewChatCompletion;
const call = operations.createChatCompletion;

function runAs(
  id: string | null,
  { operation = preview, caller = {} }: { operation?: typeof preview | typeof call; caller?: object } = {},
) {
  const headers: Record<string, string> = id === null ? {} : { [RUN_AS_HEADER]: id };
  const request = new Request("http://gateway.test/v1/chat/completions", { headers });
  const requestContext = new RequestContext(
    request,
    "req_1",
    () => null,
    () => null,
  );
  const permissions = new Set(["api.roles.read", "api.completions.write"]);
  const person = {
    id: "user_1",
    keyId: "user_1",
    projectId: null,
    permissionsIn: () => permissions,
    ...caller,
  };
  return findActingCaller(context as never, requestContext, person as unknown as Caller, operation);
}

test("a call without the header is its caller's own", async () => {
  expect(await runAs(null)).toMatchObject({ caller: { id: "user_1" }, runBy: null });
});

test("a question about a call as a role is answered with that role's permissions alone", async () => {
  const { caller } = await runAs("role_auditors");
  expect(caller).toMatchObject({ id: "user_1", holder: { kind: "role", id: "role_auditors" } });
  expect([...caller.permissionsIn(null)]).toEqual(["api.completions.write"]);
});

test("a role sends no calls", () => {
  expect(catchRefusal(() => runAs("role_auditors", { operation: call }))).toMatchObject({ status: 400 });
});

test("a role that the caller may not read doesn't exist for them, nor does an unknown role or key", async () => {
  const blind = { permissionsIn: () => new Set() };
  expect(catchRefusal(() => runAs("role_auditors", { caller: blind }))).toMatchObject({ status: 404 });
  expect(catchRefusal(() => runAs("role_none"))).toMatchObject({ status: 404 });
  const refusal = await Promise.resolve(runAs("key_none")).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ status: 404 });
});

test("a project's key runs as nobody else", () => {
  const program = { projectId: "proj_1" };
  expect(catchRefusal(() => runAs("role_auditors", { caller: program }))).toMatchObject({ status: 400 });
});
