import { expect, test } from "bun:test";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "@/lib/contract/durations";
import type { ModelRoute } from "@/lib/contract/operations/models/models";
import { defaultProviderLimits, sandboxProvider } from "../../models/providers/provider-directory";
import { Refusal } from "../../refusal";
import { simulatedRuntime } from "../../simulation/simulated-runtime";
import type { ProviderConnection } from "../provider-connection";
import { providerFailed, providerUnreachable, readReplyRefusal } from "../provider-failure";
import { ProviderLinks } from "../provider-link";
import { RouteWalk } from "./route-walk";

const pair = { projectId: "proj_1", keyId: "key_1" };
const request = { requestId: "req_1", endpoint: "chat/completions", body: "", stream: false } as const;
const watcher = { onLongCall() {}, onCut() {} };

/** A model with these routes, whose providers exist. */
function open(routes: readonly ModelRoute[], contextWindow: number | null = null) {
  const runtime = simulatedRuntime();
  const silent = { reply: new Promise<never>(() => {}), cancel() {} };
  const links = new ProviderLinks(runtime.clock, () => ({ send: () => silent }));
  const providers = new Map(
    routes.map(({ provider: id }) => [id, { ...sandboxProvider, id, limits: defaultProviderLimits }]),
  );
  const directory = { find: (id: string) => providers.get(id) };
  const context = { directory, links, runtime };
  const linkTo = (id: string) => links.to(providers.get(id) ?? sandboxProvider);
  const startWalk = (session: string | null = null) =>
    new RouteWalk(context, {
      model: { id: "m", routes, contextWindow },
      pair,
      findSession: () => session,
      estimateCost: ({ price }) => BigInt(price?.input_per_1m ?? 2),
    });
  return {
    ...runtime,
    linkTo,
    rest: (id: string) => {
      const { keys } = linkTo(id);
      keys.rest(keys.first, "m", { ms: MINUTE_MS, status: 429 });
    },
    walk: startWalk,
    /** The route that a call of this session is sent on first, and that answers it. */
    answer(session: string | null = null) {
      const walk = startWalk(session);
      const connection = walk.begin();
      connection.end();
      walk.noteAnswered(connection.route);
      return connection.route.provider;
    },
    /** The providers that get a call whose attempts fail one by one like this, and then one that doesn't. */
    failing(failures: readonly unknown[], { isSent = true } = {}) {
      const walk = startWalk();
      let connection: ProviderConnection = walk.begin();
      const asked = [connection.route.provider];
      for (const failure of failures) {
        if (isSent) void connection.send(request, watcher);
        connection.close();
        const next = walk.goOn(connection, failure, 0);
        if (!next) return asked;
        connection = next.connection;
        asked.push(connection.route.provider);
      }
      return asked;
    },
  };
}

const status = (code: number, headers: Readonly<Record<string, string>> = {}) =>
  readReplyRefusal({ status: code, header: (name) => headers[name] ?? null }, "", 0);
const inTurn = ["a", "b", "c", "d"].map((provider) => ({ provider, model: "m" }));

test.each([401, 402, 403, 404, 408, 409, 429, 500, 502, 503, 504, 524, 529])(
  "after a status of %i the next group is asked",
  (code) => {
    expect(open(inTurn).failing([status(code)])).toEqual(["a", "b"]);
  },
);

test.each([400, 413, 422])("after a status of %i, the caller's fault, the call ends", (code) => {
  expect(open(inTurn).failing([status(code)])).toEqual(["a"]);
});

test("a filter of content ends the call, whatever other routes there are", () => {
  const filtered = new Refusal(400, "invalid_request_error", "content_filter", "The provider refused");
  expect(open(inTurn).failing([filtered])).toEqual(["a"]);
});

test("a call is sent three times at most, and attempts that no server took don't count", () => {
  expect(open(inTurn).failing(Array(4).fill(status(500)))).toEqual(["a", "b", "c"]);
  const refused = providerUnreachable("refused", "no_connection");
  expect(open(inTurn).failing(Array(3).fill(refused), { isSent: false })).toEqual(["a", "b", "c", "d"]);
});

test("no attempt begins after eleven minutes", () => {
  const { walk, pass } = open(inTurn);
  const way = walk();
  const connection = way.begin();
  pass(11 * MINUTE_MS + 1);
  expect(way.goOn(connection, status(500), 11 * MINUTE_MS + 1)).toBeNull();
});

test("a provider that takes no connection is not asked for another of its models", () => {
  const routes = [...["m", "n"].map((model) => ({ provider: "a", model })), { provider: "b", model: "m" }];
  const refused = providerUnreachable("refused", "no_connection");
  expect(open(routes).failing([refused], { isSent: false })).toEqual(["a", "b"]);
  expect(open(routes).failing([status(404)])).toEqual(["a", "a"]);
});

test("a prompt that is too long goes to a longer window only", () => {
  const tooLong = new Refusal(400, "invalid_request_error", "context_length_exceeded", "Too long");
  const routes = [8_000, 8_000, 32_000].map((context_window, at) => ({
    provider: String(at),
    model: "m",
    context_window,
  }));
  expect(open(routes).failing([tooLong])).toEqual(["0", "2"]);
  expect(open(inTurn, 8_000).failing([tooLong])).toEqual(["a"]);
});

test("an only route is asked once more where its server failed, after as long as it asks for", () => {
  const only = open([{ provider: "a", model: "m" }]);
  expect(only.failing([status(500), status(500)])).toEqual(["a", "a"]);
  for (const failure of [status(429), status(404), status(504), providerFailed("odd")])
    expect(only.failing([failure])).toEqual(["a"]);
  const walk = only.walk();
  const next = walk.goOn(walk.begin(), status(503, { "retry-after": "1" }), 0);
  expect(next?.waitMs).toBeGreaterThanOrEqual(SECOND_MS);
  const another = only.walk();
  expect(another.goOn(another.begin(), status(503, { "retry-after": "60" }), 0)).toBeNull();
});

test("a repeat counts once for the circuit", () => {
  const { linkTo, walk } = open([{ provider: "a", model: "m" }]);
  for (let calls = 0; calls < 9; calls++) {
    const way = walk();
    const first = way.begin();
    first.noteFailure(status(500));
    first.close();
    const second = way.goOn(first, status(500), 0)?.connection;
    second?.noteFailure(status(500));
    second?.close();
  }
  expect(linkTo("a").circuits.refusing("m")).toBeNull();
});

test("the calls of a group are shared by weight, and those without weight or past their end get none", () => {
  const { answer, pass } = open([
    { provider: "a", model: "m", group: 1, weight: 80 },
    { provider: "b", model: "m", group: 1, weight: 20 },
    { provider: "c", model: "m", group: 1, weight: 0 },
    { provider: "d", model: "m", group: 1, weight: 100, ends_at: 1_800_000_001 },
    { provider: "e", model: "m", group: 2 },
  ]);
  const count = (calls: number) => {
    const counts: Record<string, number> = {};
    for (let call = 0; call < calls; call++) {
      const provider = answer();
      counts[provider] = (counts[provider] ?? 0) + 1;
    }
    return counts;
  };
  expect(count(2_000).d).toBeGreaterThan(900);
  pass(1_000);
  const { a = 0, b = 0, ...others } = count(2_000);
  expect(others).toEqual({});
  expect(a / (a + b)).toBeCloseTo(0.8, 1);
});

const shared = ["a", "b", "c"].map((provider) => ({ provider, model: "m", group: 1 }));

test("the calls of a session stay on one route, and sessions are spread over all", () => {
  const { answer } = open(shared);
  const seen = new Set<string>();
  for (let session = 0; session < 50; session++) {
    const first = answer(`session ${session}`);
    seen.add(first);
    expect(answer(`session ${session}`)).toBe(first);
  }
  expect(seen.size).toBe(3);
});

test("a session leaves a route that rests or fails at once, and stays where it is answered then, for an hour", () => {
  const { answer, linkTo, pass, rest } = open(shared);
  const first = answer("s");
  rest(first);
  const second = answer("s");
  expect(second).not.toBe(first);
  pass(MINUTE_MS);
  expect(answer("s")).toBe(second);
  linkTo(second).circuits.noteFailure("m", status(500), null);
  expect(answer("s")).not.toBe(second);
  pass(HOUR_MS);
  expect(answer("s")).toBe(first);
});

test("a group in the order of latency goes to the fastest of late, by its kind of answer, and leaves one that fails", () => {
  const fast = shared.map((route) => ({ ...route, order: "latency" as const }));
  const { answer, linkTo, pass } = open(fast);
  const countFirst = (provider: string) =>
    Array.from({ length: 200 }, () => answer()).filter((first) => first === provider).length;
  for (const [at, { provider }] of fast.entries())
    linkTo(provider).latencies.note("m", false, 900 - 100 * at);
  const [slowest = "", fastest = ""] = [fast[0]?.provider, fast.at(-1)?.provider];
  linkTo(slowest).latencies.note("m", true, 1);
  expect(countFirst(fastest)).toBeGreaterThan(180);
  linkTo(fastest).circuits.noteFailure("m", status(500), null);
  expect(countFirst(fastest)).toBeLessThan(20);
  pass(16 * MINUTE_MS);
  for (const { provider } of fast) expect(countFirst(provider)).toBeGreaterThan(20);
});

test("a group in the order of price goes to the cheapest, to equal ones by weight, and leaves one that fails", () => {
  const prices = ["3", undefined, "2"];
  const routes = shared.map((route, at) => {
    const input_per_1m = prices[at];
    return { ...route, order: "price" as const, ...(input_per_1m && { price: { input_per_1m } }) };
  });
  const { answer, linkTo } = open(routes);
  const countFirst = (provider: string) =>
    Array.from({ length: 200 }, () => answer()).filter((first) => first === provider).length;
  expect([countFirst("a"), countFirst("b") > 60, countFirst("c") > 60]).toEqual([0, true, true]);
  linkTo("b").circuits.noteFailure("m", status(500), null);
  expect(countFirst("c")).toBe(200);
  linkTo("c").circuits.noteFailure("m", status(500), null);
  expect(countFirst("a")).toBe(200);
});

test("a provider at its limit is asked last, and still asked where it is the only one", () => {
  const { answer, rest } = open(inTurn.slice(0, 2));
  rest("a");
  expect(answer()).toBe("b");
  rest("b");
  expect(answer()).toBe("a");
});
