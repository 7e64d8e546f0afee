import { afterAll, beforeAll, expect, test } from "bun:test";
import type {
  LoggedRequest,
  RequestHistogram,
  RequestReceipt,
} from "@/lib/contract/operations/calls/requests";
import { joinMember } from "../../support/clients/join-member";
import { send } from "../../support/clients/send";
import { isProviderFault } from "../../support/gateways/is-provider-fault";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";

const REQUESTS = "max_requests_per_1_minute";
let gateway: ServedGateway;

beforeAll(async () => {
  gateway = await serveGateway({ isExpectedFault: isProviderFault, balance: "0.0001" });
});
afterAll(() => gateway.close());

const call = async (key: string, model: string, rest: object = {}, projectId = gateway.projectId) => {
  const body = { model, messages: [{ role: "user", content: "one two three" }], max_tokens: 5, ...rest };
  const headers = { "openai-project": projectId };
  const reply = await send(`${gateway.baseUrl}/chat/completions`, { method: "POST", key, body, headers });
  return { id: reply.headers.get("x-request-id") ?? "", error: reply.error };
};
const ask = (path: string, key = gateway.adminKey) => send(`${gateway.baseUrl}/organization${path}`, { key });
const receipt = async (id: string, key?: string) => {
  const { status, body } = await ask(`/requests/${id}`, key);
  expect([id, status]).toEqual([id, 200]);
  return body as unknown as RequestReceipt;
};
/** Refusals are written when the store is idle, and at the latest before the next charge. */
const refuse = async (...asked: Parameters<typeof call>) => {
  const refused = await call(...asked);
  await call(gateway.key, "sandbox-echo");
  return refused;
};
/** What a list of calls says that a refused call needed, and what was left. */
const listed = async (id: string, key?: string) => {
  const { body } = await ask(`/requests?request_id=${id}`, key);
  const [{ needed, remaining, limit } = {}] = body.data as unknown as Partial<LoggedRequest>[];
  return { needed, remaining, limit };
};
const listVerdicts = ({ checks }: RequestReceipt) =>
  Object.fromEntries(checks.map(({ check, verdict }) => [check, verdict]));
const findCheck = ({ checks }: RequestReceipt, name: string) => checks.find(({ check }) => check === name);

test("a call that was answered has passed every check, and its hold is its charge and what was released", async () => {
  const { id } = await call(gateway.key, "sandbox-echo");
  const known = await receipt(id);
  expect(new Set(known.checks.map(({ verdict }) => verdict))).toEqual(new Set(["passed", "not_limited"]));
  expect(known.checks.map(({ check }) => check).slice(0, 4)).toEqual([
    "key",
    "permission",
    "request",
    "model",
  ]);
  expect(known.hold).toMatchObject({ state: "settled", currency: "USD" });
  expect(known.request.amount).toBe("0.0000045");
  const [charge] = known.entries;
  expect(charge).toMatchObject({ kind: "charge", request_id: id, amount: "0.0000045" });
  expect(Number(known.hold?.amount)).toBeCloseTo(Number(charge?.amount) + Number(known.hold?.released), 12);
  expect(known.key).toMatchObject({ kind: "project_api_key", name: "Test", owner: null, is_active: true });
  expect(known.key?.last_four).toBe(gateway.key.slice(-4));
  // Finds the same call by the id of its charge, which the ledger shows.
  expect((await receipt(charge?.id ?? "")).id).toBe(id);
});

test("a failed call has given back its whole hold, and cost nothing", async () => {
  const { id, error } = await call(gateway.key, "sandbox-500");
  const known = await receipt(id);
  expect(known).toMatchObject({
    hold: { state: "released" },
    entries: [],
    request: { outcome: "provider_failed" },
  });
  expect(known.hold?.released).toBe(known.hold?.amount ?? "");
  expect(error.url).toBe(`http://console.test/requests/${id}`);
});

test("gives a receipt to a call that is refused before its limits are checked", async () => {
  const unknown = await refuse(gateway.key, "sandbox-none");
  expect(unknown.error.url).toBe(`http://console.test/requests/${unknown.id}`);
  const noModel = await receipt(unknown.id);
  expect(noModel.request).toMatchObject({ outcome: "refused", refused_by: "model_not_found", status: 404 });
  expect(noModel.request.model).toBe("unknown");
  expect(listVerdicts(noModel)).toMatchObject({
    request: "passed",
    model: "refused",
    balance: "not_reached",
  });
  expect(findCheck(noModel, "model")?.value).toBe("sandbox-none");
  const malformed = await refuse(gateway.key, "sandbox-echo", { messages: "none" });
  const noRequest = await receipt(malformed.id);
  expect(noRequest.request).toMatchObject({ refused_by: malformed.error.code ?? "", status: 400 });
  expect(listVerdicts(noRequest)).toMatchObject({
    permission: "passed",
    request: "refused",
    model: "not_reached",
  });
  expect(findCheck(noRequest, "request")?.value).toBe("messages");
  const withCallback = await refuse(gateway.key, "sandbox-echo", { callback_url: "https://example.com/" });
  expect(await receipt(withCallback.id)).toMatchObject({ request: { model: "sandbox-echo", status: 400 } });
});

test("a refusal names the deciding check and its figures, and leads to its receipt", async () => {
  await gateway.setLimits("sandbox-chat", { [REQUESTS]: 0 });
  const { id, error } = await refuse(gateway.key, "sandbox-chat");
  expect(error.url).toBe(`http://console.test/requests/${id}`);
  const never = await receipt(id);
  expect(listVerdicts(never)).toMatchObject({
    model: "passed",
    balance: "passed",
    spend_limit: "passed",
    [REQUESTS]: "refused",
    max_tokens_per_1_minute: "passed",
    max_requests_per_1_day: "not_limited",
  });
  expect(findCheck(never, REQUESTS)).toMatchObject({ value: "0", limit: "0", needed: "1", window: "minute" });
  expect(never).toMatchObject({ hold: null, entries: [], resets_in_ms: null });

  await gateway.setLimits("sandbox-chat", { [REQUESTS]: 1 });
  await call(gateway.key, "sandbox-chat");
  const refused = await refuse(gateway.key, "sandbox-chat");
  const soon = await receipt(refused.id);
  expect(soon.resets_in_ms).toBe(refused.error.limit?.resets_in_ms ?? -1);
  expect(findCheck(soon, REQUESTS)).toMatchObject({ value: "1", limit: "1" });
  expect(await listed(refused.id)).toEqual({ needed: "1", remaining: "0", limit: "1" });

  await gateway.setLimits("sandbox-chat", { [REQUESTS]: 9, max_tokens_per_1_minute: 6 });
  const { id: needy } = await refuse(gateway.key, "sandbox-chat");
  const { value, needed } = findCheck(await receipt(needy), "max_tokens_per_1_minute") ?? {};
  const remaining = String(Math.max(0, 6 - Number(value)));
  expect(await listed(needy)).toEqual({ needed, remaining, limit: "6" });
  // A limit that was changed since is told as it was.
  expect(await listed(refused.id)).toMatchObject({ limit: "1" });
});

test("shows the balance in a refusal only to callers who may read it", async () => {
  const viewer = await joinMember(gateway, "viewer@example.com", { role: "prompt_tester" });
  await gateway.admin("POST", `/organization/projects/${gateway.projectId}/users`, {
    user_id: viewer.id,
    role: "member",
  });
  const roles = `/projects/${gateway.projectId}/users/${viewer.id}/roles`;
  await gateway.admin("POST", roles, { role_id: "role_project_viewer" });
  const { id } = await refuse(gateway.key, "sandbox-echo", {
    messages: [{ role: "user", content: "one ".repeat(400) }],
  });
  const whole = await receipt(id);
  expect(listVerdicts(whole)).toMatchObject({
    concurrency: "passed",
    balance: "refused",
    spend_limit: "not_reached",
    [REQUESTS]: "not_reached",
  });
  const told = findCheck(whole, "balance");
  expect([typeof told?.value, typeof told?.needed]).toEqual(["string", "string"]);
  const less = await receipt(id, viewer.token);
  expect(findCheck(less, "balance")).toEqual({ ...told, value: null } as typeof told & object);
  expect(await listed(id)).toEqual({ needed: told?.needed, remaining: told?.value, limit: null });
  expect(await listed(id, viewer.token)).toEqual({ needed: told?.needed, remaining: null, limit: null });
  // The viewer may not learn that another project's call exists.
  const { id: projectId } = await gateway.admin<{ id: string }>("POST", "/organization/projects", {
    name: "Other",
  });
  const { value } = await gateway.admin<{ value: string }>(
    "POST",
    `/organization/projects/${projectId}/api_keys`,
    { name: "k" },
  );
  const foreign = await call(value, "sandbox-500", {}, projectId);
  const hidden = await ask(`/requests/${foreign.id}`, viewer.token);
  expect([hidden.status, hidden.error.param]).toEqual([404, "request_id"]);
  expect((await receipt(foreign.id)).key?.name).toBe("k");
});

test("every caller can read the receipts of their own calls, and of no others", async () => {
  const tester = await joinMember(gateway, "tester@example.com", { role: "prompt_tester" });
  const mine = await call(tester.token, "sandbox-500");
  const own = await ask(`/me/requests/${mine.id}`, tester.token);
  expect(own.body).toMatchObject({
    id: mine.id,
    key: { kind: "user", name: "tester", owner: "tester@example.com" },
  });
  expect((await ask(`/requests/${mine.id}`, tester.token)).error.permission).toBe("api.requests.read");
  for (const id of [(await call(gateway.key, "sandbox-500")).id, "req_none", "none"]) {
    const refused = await ask(`/me/requests/${id}`, tester.token);
    expect([id, refused.status, refused.error.code]).toEqual([id, 404, "object_not_found"]);
  }
});

test("names of models that there are not are all counted under one, however many", async () => {
  const count = async (query = "") => {
    const { body } = await ask(`/request_histogram?refused_by=model_not_found${query}`);
    return (body as unknown as RequestHistogram).totals.refused;
  };
  const before = await count();
  for (let index = 0; index < 20; index++) await call(gateway.key, `made-up-${index}`);
  await call(gateway.key, "sandbox-echo");
  expect([await count(), await count("&model=unknown")]).toEqual([before + 20, before + 20]);
});

test("every caller can list the calls they made, and no others", async () => {
  const keys = `/projects/${gateway.projectId}/api_keys`;
  const { value: otherKey } = await gateway.admin<{ value: string }>("POST", `/organization${keys}`, {
    name: "Other",
  });
  const other = await call(otherKey, "sandbox-echo");
  const listIds = async (key: string, query = "") => {
    const { body } = await ask(`/me/requests${query}`, key);
    return (body as unknown as { data: { id: string }[] }).data.map((request) => request.id);
  };
  expect(await listIds(otherKey)).toEqual([other.id]);
  expect(await listIds(gateway.key)).not.toContain(other.id);
  expect(await listIds(otherKey, "?model=sandbox-chat")).toEqual([]);
  expect(await listIds(otherKey, "?project_id=proj_elsewhere")).toEqual([]);
  const { error } = await ask("/me/requests?api_key_id=key_x", otherKey);
  expect(error).toMatchObject({ param: "api_key_id" });
});
