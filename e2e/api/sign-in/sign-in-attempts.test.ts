import { describe, expect, test } from "bun:test";
import { signAddress } from "@/lib/client-address/signed-address";
import { DAY_MS } from "@/lib/contract/durations";
import { joinMember, PASSWORD } from "../../support/clients/join-member";
import { computeOneTimeCode } from "../../support/clients/one-time-code";
import { createOrganizationClient } from "../../support/clients/organization-client";
import { send } from "../../support/clients/send";
import { serveForAll } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";
import { queryDatabase } from "../../support/stored-data/query-database";

let gateway: ServedGateway;
let count = 0;

serveForAll((served) => {
  gateway = served;
});

const codeOf = (uri: string, halfMinutes = 0) =>
  computeOneTimeCode(uri, halfMinutes, gateway.runtime.clock.nowMs());

/** An IPv4 address that was not used yet. */
const elsewhere = () => `10.${++count >> 8}.${count & 255}.1`;

const open = (path: string, body: object, headers: Record<string, string> = {}) =>
  send(`${gateway.baseUrl}/organization${path}`, { method: "POST", body, headers });

interface From {
  readonly address?: string;
  readonly device?: string;
}
const buildHeaders = ({ address = elsewhere(), device }: From) => ({
  "x-test-address": address,
  ...(device && { "x-gatehouse-device": device }),
});
const signIn = (email: string, password = PASSWORD, from: From = {}) =>
  open("/sign_in", { email, password }, buildHeaders(from));

/** Wrong passwords for one account, each from another address. @returns the statuses. */
async function guess(email: string, times: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let n = 0; n < times; n++) statuses.push((await signIn(email, "wrong one")).status);
  return statuses;
}
const readWait = ({ headers }: { headers: Headers }) => Number(headers.get("retry-after"));

/** A member, and the token of one of their known devices. */
async function memberWithDevice(name: string) {
  const email = `${name}-${++count}@example.com`;
  const member = await joinMember(gateway, email);
  const { body } = await signIn(email);
  return { ...member, email, device: String(body.device_token) };
}

describe("an account", () => {
  test("takes five wrong passwords, however many come at once and from wherever, then one after each pause", async () => {
    const { email } = await addMember("ada");
    const tries = await Promise.all(Array.from({ length: 20 }, () => signIn(email, "wrong one")));
    expect(tries.filter(({ status }) => status === 401)).toHaveLength(5);
    const waits: number[] = [];
    for (let n = 0; n < 13; n++) {
      const refused = await signIn(email, "wrong one");
      expect([refused.status, refused.error.code]).toEqual([429, "too_many_attempts"]);
      waits.push(readWait(refused));
      gateway.pass(readWait(refused) * 1000 - 1);
      expect((await signIn(email, "wrong one")).status).toBe(429);
      gateway.pass(1);
      expect((await signIn(email, "wrong one")).status).toBe(401);
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 1800, 1800]);
  });

  test("is guarded alike whether it is anybody's or not", async () => {
    const { email } = await addMember("ben");
    for (const name of [email, "nobody@example.com"]) {
      expect(await guess(name, 7)).toEqual([401, 401, 401, 401, 401, 429, 429]);
    }
  });

  test("is not forgotten for others' sake, nor by a restart or a clock that was set back", async () => {
    const { email } = await addMember("cyd");
    await guess(email, 5);
    const others = Array.from({ length: 300 }, (_, n) => signIn(`other-${n}@example.com`, "wrong one"));
    await Promise.all(others);
    await gateway.restart();
    expect((await signIn(email)).status).toBe(429);
    gateway.stepWallClock(-DAY_MS);
    expect(readWait(await signIn(email))).toBe(1);
    gateway.stepWallClock(DAY_MS);
  });

  test("accepts the right password after the pause, and doesn't count it as an attempt", async () => {
    const { email } = await addMember("dan");
    await guess(email, 5);
    gateway.pass(1_000);
    for (let n = 0; n < 10; n++) {
      expect((await signIn(email)).status).toBe(200);
      gateway.pass(1_000);
    }
  });

  test("stays open to the owner's known device, whose failed attempts are counted separately", async () => {
    const { email, device } = await memberWithDevice("eve");
    const stranger = await memberWithDevice("stranger");
    await guess(email, 6);
    expect((await signIn(email)).status).toBe(429);
    expect((await signIn(email, PASSWORD, { device: stranger.device })).status).toBe(429);
    expect((await signIn(email, PASSWORD, { device: "gd_none" })).status).toBe(429);
    expect((await signIn(email, PASSWORD, { device })).status).toBe(200);
    const slips: number[] = [];
    for (let n = 0; n < 11; n++) slips.push((await signIn(email, "slip of pen", { device })).status);
    expect(slips).toEqual([...Array(10).fill(401), 429]);
  });

  test("can be recovered with a forgotten password while strangers guess", async () => {
    const { email, id, device } = await memberWithDevice("fay");
    await guess(email, 6);
    const path = `/organization/users/${id}/password_resets`;
    const { token } = await gateway.admin<{ token: string }>("POST", path, {});
    const used = await open("/password_resets/use", { token, password: "third of horses" });
    const from = { device: String(used.body.device_token) };
    expect((await signIn(email, "third of horses", from)).status).toBe(200);
    // Somebody who knew the old password may have made this device known.
    expect((await signIn(email, "third of horses", { device })).status).toBe(429);
  });
});

describe("a second factor", () => {
  test("allows five guesses, and stays usable from the owner's device meanwhile", async () => {
    const { email, token, device } = await memberWithDevice("gus");
    const ask = createOrganizationClient(gateway.baseUrl);
    const draft = (await ask("POST", "/me/two_factor", { password: PASSWORD }, token)).body;
    const uri = String(draft.otpauth_uri);
    await ask("POST", "/me/two_factor/confirm", { code: codeOf(uri) }, token);
    const answer = async (code: string, from: From) => {
      const { challenge } = (await signIn(email, PASSWORD, from)).body;
      return open("/sign_in/challenge", { challenge, code }, buildHeaders(from));
    };
    const guesses: number[] = [];
    for (let n = 0; n < 7; n++) guesses.push((await answer("000000", {})).status);
    expect(guesses).toEqual([401, 401, 401, 401, 401, 429, 429]);
    expect((await answer(codeOf(uri, 1), {})).status).toBe(429);
    expect((await answer(codeOf(uri, 1), { device })).status).toBe(200);
  });
});

describe("a network", () => {
  test("takes twenty wrong passwords, whatever the accounts, and forgets one in two minutes", async () => {
    for (const [address, same] of [
      ["203.0.113.9", "203.0.113.9"],
      ["2001:db8:1:2::1", "2001:db8:1:2:ffff::9"],
    ] as const) {
      const tries: number[] = [];
      for (let n = 0; n < 21; n++) {
        const from = n % 2 === 0 ? address : same;
        tries.push((await signIn(`${++count}@example.com`, "wrong one", { address: from })).status);
      }
      expect(tries).toEqual([...Array(20).fill(401), 429]);
    }
    const neighbor = { address: "2001:db8:1:3::1" };
    expect((await signIn("nobody@example.org", "wrong one", neighbor)).status).toBe(401);
    gateway.pass(10 * 120_000);
    const later: number[] = [];
    for (let n = 0; n < 11; n++) {
      const from = { address: "203.0.113.9" };
      later.push((await signIn(`${++count}@example.com`, "wrong one", from)).status);
    }
    expect(later).toEqual([...Array(10).fill(401), 429]);
  });

  test("is the browser's if the console signs it with the secret, and no other sender is believed", async () => {
    const { runtime } = gateway;
    const browser = (address: string, secret: number) => ({
      "x-test-address": "127.0.0.9",
      "x-forwarded-for": elsewhere(),
      "x-gatehouse-client-address": signAddress(
        address,
        new Uint8Array(32).fill(secret),
        runtime.clock.nowMs(),
      ),
    });
    const attempt = async (headers: Record<string, string>) =>
      (await open("/sign_in", { email: `${++count}@example.com`, password: "wrong one" }, headers)).status;
    for (let n = 0; n < 21; n++) expect(await attempt(browser(elsewhere(), 0))).toBe(401);
    const forged: number[] = [];
    for (let n = 0; n < 21; n++) forged.push(await attempt(browser(elsewhere(), 1)));
    expect(forged).toEqual([...Array(20).fill(401), 429]);
  });
});

test("stores attempts as hashes, for a day after the last one", async () => {
  await signIn("secret-address@example.com", "wrong one", { address: "198.51.100.77" });
  const rows = await queryDatabase(gateway, "SELECT * FROM sign_in_attempts");
  expect(rows.length).toBeGreaterThan(1);
  expect(JSON.stringify(rows)).not.toMatch(/example|198\.51/);
});

async function addMember(name: string) {
  const email = `${name}-${++count}@example.com`;
  return { ...(await joinMember(gateway, email)), email };
}
