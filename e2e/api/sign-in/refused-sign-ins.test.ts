import { afterAll, beforeAll, expect, test } from "bun:test";
import { send } from "../../support/clients/send";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";
import { lockDatabase } from "../../support/stored-data/query-database";

let gateway: ServedGateway;
beforeAll(async () => {
  gateway = await serveGateway({ isExpectedFault: (fault) => String(fault).includes("database is locked") });
});
afterAll(() => gateway.close());

const open = (path: string, body: object) => send(`${gateway.baseUrl}/organization${path}`, { body });

/** Runs `work` while no other connection can write. */
async function whileLocked<Result>(work: () => Promise<Result>): Promise<Result> {
  const unlock = await lockDatabase(gateway);
  try {
    return await work();
  } finally {
    await unlock();
  }
}

test.each([
  ["a key of the wrong form", { key: "gk_admin_nonsense" }],
  ["an unknown link", { sign_in_token: `gl_${"a".repeat(43)}` }],
])("a session for %s is refused without the store's lock", async (_, body) => {
  const refused = await whileLocked(() => open("/sessions", body));
  expect([refused.status, refused.error.code]).toEqual([401, "invalid_api_key"]);
});

test("a sign-in that has to wait is refused without the store's lock, also after a restart", async () => {
  const signIn = () => open("/sign_in", { email: "ada@example.com", password: "wrong one" });
  for (let n = 0; n < 5; n++) expect((await signIn()).status).toBe(401);
  for (const prepare of [async () => {}, () => gateway.restart()]) {
    await prepare();
    const refused = await whileLocked(signIn);
    expect([refused.status, refused.error.code]).toEqual([429, "too_many_attempts"]);
    expect(refused.headers.get("retry-after")).toBe("1");
  }
});
