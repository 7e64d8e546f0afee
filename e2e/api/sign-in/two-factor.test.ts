import { beforeEach, expect, test } from "bun:test";
import { isAppCode, openFactor } from "@/lib/gateway/sign-in/two-factor";
import { joinMember, PASSWORD } from "../../support/clients/join-member";
import { computeOneTimeCode } from "../../support/clients/one-time-code";
import { createOrganizationClient } from "../../support/clients/organization-client";
import { serveForAll } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";
import { queryDatabase, writeBeside } from "../../support/stored-data/query-database";

let gateway: ServedGateway;
let ask: ReturnType<typeof createOrganizationClient>;
let member: { id: string; token: string; email: string };
let count = 0;

serveForAll((served) => {
  gateway = served;
  ask = createOrganizationClient(gateway.baseUrl);
});
beforeEach(async () => {
  const email = `member-${++count}@example.com`;
  member = { email, ...(await joinMember(gateway, email)) };
});

const codeOf = (uri: string, halfMinutes = 0) =>
  computeOneTimeCode(uri, halfMinutes, gateway.runtime.clock.nowMs());
const draft = async () => {
  const { body } = await ask("POST", "/me/two_factor", { password: PASSWORD }, member.token);
  return { uri: String(body.otpauth_uri), backupCodes: body.backup_codes as string[] };
};
const confirm = (code: string) => ask("POST", "/me/two_factor/confirm", { code }, member.token);
const challenge = async () => {
  const { body } = await ask("POST", "/sign_in", { email: member.email, password: PASSWORD });
  return body.challenge;
};
/** How a sign-in with each of these codes ends, all made in one tick. */
async function signInAtOnce(codes: readonly string[]): Promise<number[]> {
  const challenges: unknown[] = [];
  for (const _ of codes) challenges.push(await challenge());
  const requests = codes.map(
    (code, index) =>
      new Request(`${gateway.baseUrl}/organization/sign_in/challenge`, {
        method: "POST",
        body: JSON.stringify({ challenge: challenges[index], code }),
      }),
  );
  const replies = await Promise.all(requests.map((request) => gateway.answer(request)));
  return replies.map(({ status }) => status).toSorted();
}
async function turnOn() {
  const drafted = await draft();
  expect((await confirm(codeOf(drafted.uri))).status).toBe(200);
  return drafted;
}

test("an app is set up by a key URI that all apps know", async () => {
  const { uri, backupCodes } = await draft();
  const { protocol, host, pathname, searchParams } = new URL(uri);
  expect([protocol, host, decodeURIComponent(pathname)]).toEqual([
    "otpauth:",
    "totp",
    `/Gatehouse:${member.email}`,
  ]);
  expect(Object.fromEntries(searchParams)).toMatchObject({ issuer: "Gatehouse", digits: "6", period: "30" });
  expect(searchParams.get("secret")).toMatch(/^[A-Z2-7]{32,}$/);
  expect(new Set(backupCodes).size).toBe(10);
  for (const code of backupCodes) expect(code).toMatch(/^[a-z2-9]{5}-[a-z2-9]{5}$/);
});

test("a code is accepted one period before and after its own, and no further", async () => {
  const { uri } = await turnOn();
  for (const [halfMinutes, status] of [
    [-2, 401],
    [2, 401],
    [-1, 200],
    [1, 200],
  ] as const)
    expect([halfMinutes, await signInAtOnce([codeOf(uri, halfMinutes)])]).toEqual([halfMinutes, [status]]);
});

test("a code signs in once, at once and later, also as the code of the next period", async () => {
  const { uri } = await turnOn();
  const next = codeOf(uri, 1);
  expect(await signInAtOnce([next, next, next])).toEqual([200, 401, 401]);
  gateway.pass(30_000);
  expect(await signInAtOnce([next])).toEqual([401]);
  // The code that confirmed the app is used, too.
  expect(await signInAtOnce([codeOf(uri, -1)])).toEqual([401]);
});

test("backup codes count once each, and different ones are not lost to each other", async () => {
  const { backupCodes } = await turnOn();
  const [first = "", second = "", third = ""] = backupCodes;
  expect(await signInAtOnce([first, first, second])).toEqual([200, 200, 401]);
  expect(await signInAtOnce([second])).toEqual([401]);
  expect(await signInAtOnce([third])).toEqual([200]);
  const { body } = await ask("GET", "/me/sign_in", undefined, member.token);
  // A member's other sessions don't end with a sign-in.
  expect(body).toMatchObject({ two_factor: true, backup_codes_left: 7 });
});

test("a setup that is begun again forgets the app and the codes of the one before", async () => {
  const before = await draft();
  const after = await draft();
  expect((await confirm(codeOf(before.uri))).error.code).toBe("invalid_code");
  expect((await confirm(codeOf(after.uri))).status).toBe(200);
  expect(await signInAtOnce([before.backupCodes[0] ?? ""])).toEqual([401]);
  expect(await signInAtOnce([after.backupCodes[0] ?? ""])).toEqual([200]);
});

test("an app that is confirmed while its setup is begun again is never another one", async () => {
  const { uri } = await draft();
  const [confirmed, again] = await Promise.all([
    confirm(codeOf(uri)),
    ask("POST", "/me/two_factor", { password: PASSWORD }, member.token),
  ]);
  expect([confirmed.status, again.status].toSorted()).toEqual([200, 409]);
});

test("no code of a setup that isn't confirmed opens a challenge of the app before it", async () => {
  await turnOn();
  const open = await challenge();
  await ask("POST", "/me/two_factor/end", { password: PASSWORD }, member.token);
  const { uri, backupCodes } = await draft();
  for (const code of [codeOf(uri), backupCodes[0]])
    expect((await ask("POST", "/sign_in/challenge", { challenge: open, code })).error.code).toBe(
      "invalid_code",
    );
});

test("a confirmation without a setup is refused", async () => {
  const refused = await confirm("000000");
  expect([refused.status, refused.error.code]).toEqual([409, "in_use"]);
});

test("a second factor's texts are encrypted for their member's row", async () => {
  const { uri, backupCodes } = await turnOn();
  const rows = await queryDatabase<{ user_id: string; secret: string; backup_codes: string }>(
    gateway,
    "SELECT user_id, secret, backup_codes FROM sign_in_two_factors",
  );
  const row = rows.find(({ user_id }) => user_id === member.id);
  const context = { secret: new Uint8Array(32), runtime: gateway.runtime };
  const secret = await openFactor(row?.secret ?? "", member.id, context);
  expect(await isAppCode(secret, codeOf(uri), gateway.runtime.clock.nowMs())).toBe(true);
  expect((await openFactor(row?.backup_codes ?? "", member.id, context)).reveal()).toBe(
    JSON.stringify(backupCodes),
  );
  await expect(openFactor(row?.secret ?? "", "user_other", context)).rejects.toThrow("another secret");
});

/** As versions until now have stored them, encrypted with the gateway's secret of these tests. */
const EARLIER = {
  secret:
    "39b1bf38d0ab902a697b9a4e45783ce21923a59da44eef148ee9d532f80ab0da744e230aed856030a64eb81ccbaf228e9ab44e727038ed1276e9f6a29356772a270185037f667e59",
  backup_codes:
    "8a125cd522aa66b1b34a2c508718293a5a7f68050d792e9378361d1858e12ebd9aa5b188253633fc9daf781b09eca7624ff0dafc1b0746364a8ad8cc55e8f7cb08959ee11d",
  verified: 1,
};
/** The key URI of its app, whose secret is the text Zk3mPq8tVw1xYb5cNd7fGh9jKl2sRa4e. */
const EARLIER_URI = "otpauth://totp/Gatehouse:a?secret=LJVTG3KQOE4HIVTXGF4FSYRVMNHGIN3GI5UDS2SLNQZHGUTBGRSQ";

test("second factors of earlier versions go on, and their codes are encrypted anew when one is used", async () => {
  await gateway.restart(() =>
    writeBeside(gateway, async (queries) => {
      const row = { id: "Qx7", user_id: member.id, ...EARLIER };
      await queries.insertInto("sign_in_two_factors").values(row).execute();
      await queries
        .updateTable("sign_in_users")
        .set({ two_factor_enabled: 1 })
        .where("id", "=", member.id)
        .execute();
    }),
  );
  const settings = () => ask("GET", "/me/sign_in", undefined, member.token);
  expect((await settings()).body).toMatchObject({ two_factor: true, backup_codes_left: 2 });
  expect(await signInAtOnce([codeOf(EARLIER_URI)])).toEqual([200]);
  expect(await signInAtOnce(["aB3dE-fG5hJ"])).toEqual([200]);
  expect(await signInAtOnce(["aB3dE-fG5hJ"])).toEqual([401]);
  expect((await settings()).body).toMatchObject({ two_factor: true, backup_codes_left: 1 });
  const [row] = await queryDatabase<{ backup_codes: string }>(
    gateway,
    `SELECT backup_codes FROM sign_in_two_factors WHERE user_id = '${member.id}'`,
  );
  expect(row?.backup_codes).toStartWith("v1.");
  expect(await signInAtOnce(["kL7mN-pQ9rS"])).toEqual([200]);
});
