import { joinMember, PASSWORD } from "@/e2e/support/clients/join-member";
import { until } from "@/e2e/support/clients/until";
import { type Gateway, startGateway } from "@/e2e/support/programs/start-gateway";
import { HOUR_MS, MINUTE_MS } from "@/lib/contract/durations";
import type { Scenario } from "../../scenario";

const CONNECTIONS = 8;
const OWNER = "ada@example.com";
const TRIES_BETWEEN_KILLS = 1_000;
/**
 * The attempts that are free, and the time in which one more becomes free. Beyond those a pause of 1 s is required,
 * doubled each time.
 */
const rules = {
  account: { free: 5, recoverMs: 6 * HOUR_MS },
  network: { free: 20, recoverMs: 2 * MINUTE_MS },
};
/**
 * Attempts at one account from many addresses, at many accounts from one network, and at many accounts from many
 * addresses.
 */
const kinds = ["account", "network", "flood"] as const;

interface Try {
  readonly kind: (typeof kinds)[number];
  /** Null where the gateway was killed before it answered. */
  readonly status: number | null;
}

interface SignIn {
  readonly email: string;
  readonly password: string;
  readonly address: string;
  readonly device?: string;
}

export const guessing: Scenario = {
  name: "guessing",
  does: "{size} wrong passwords for one account, from one network and from everywhere, under kills: no more is checked than the rule allows",
  full: 3_000,
  smoke: 90,
  async run({ size, random }) {
    const gateway = await startGateway({ GATEHOUSE_TRUSTED_PROXIES: "127.0.0.1" });
    try {
      await joinMember(gateway, OWNER, { name: "Ada" });
      const own = { email: OWNER, password: PASSWORD, address: "203.0.113.1" };
      const device = (await signIn(gateway, own)).device ?? "";
      const ownerStatuses: (number | null)[] = [];
      const startedAt = performance.now();
      const tries = await guessUnderKills(gateway, size, {
        wrongPassword: () => `guess number ${random.between(0, 1_000_000)}`,
        afterKill: async () => void ownerStatuses.push((await signIn(gateway, { ...own, device })).status),
      });
      const elapsedMs = performance.now() - startedAt;
      ownerStatuses.push((await signIn(gateway, { ...own, device })).status);
      const faults = ownerStatuses
        .filter((status) => status !== 200)
        .map((status) => `The owner's own device was answered ${status}`);
      return {
        faults: [...faults, ...findFaults(tries, elapsedMs)],
        figures: {
          "checked of one account": countTries(tries, "account", 401),
          "of one network": countTries(tries, "network", 401),
          "of everybody": countTries(tries, "flood", 401),
          lost: tries.filter(({ status }) => status === null).length,
        },
      };
    } finally {
      await gateway.stop();
    }
  },
};

/** Tries `size` passwords, a few at a time, while the gateway is killed and restarted. */
async function guessUnderKills(
  gateway: Gateway,
  size: number,
  { wrongPassword, afterKill }: { wrongPassword: () => string; afterKill: () => Promise<void> },
): Promise<Try[]> {
  const tries: Try[] = [];
  let begun = 0;
  let isUp = Promise.withResolvers<void>();
  isUp.resolve();
  const connection = async () => {
    while (begun < size) {
      const count = begun++;
      const kind = kinds[count % kinds.length] ?? "flood";
      const email = kind === "account" ? OWNER : `stranger-${count}@example.com`;
      const address =
        kind === "network" ? "198.51.100.1" : `10.${count >> 16}.${(count >> 8) & 255}.${count & 255}`;
      await isUp.promise;
      const { status } = await signIn(gateway, { email, password: wrongPassword(), address });
      tries.push({ kind, status });
    }
  };
  const connections = Promise.all(Array.from({ length: CONNECTIONS }, connection));
  const kills = Math.ceil(size / TRIES_BETWEEN_KILLS);
  for (let kill = 1; kill <= kills; kill++) {
    await until("the guessing goes on", () => tries.length >= (size * kill) / (kills + 1));
    isUp = Promise.withResolvers();
    await gateway.restart("SIGKILL");
    isUp.resolve();
    await afterKill();
  }
  await connections;
  return tries;
}

/** Signs in as the console does for a browser at this address, with its device token. */
async function signIn(gateway: Gateway, { email, password, address, device }: SignIn) {
  try {
    const reply = await fetch(`${gateway.baseUrl}/organization/sign_in`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-forwarded-for": address,
        ...(device && { "x-gatehouse-device": device }),
      },
      body: JSON.stringify({ email, password }),
      // One connection per call: a client may resend a request by itself if a reused connection turns out to be dead.
      keepalive: false,
    });
    const { device_token } = (await reply.json()) as { device_token?: string };
    return { status: reply.status, device: device_token };
  } catch {
    return { status: null, device: undefined };
  }
}

function findFaults(tries: readonly Try[], elapsedMs: number): string[] {
  const faults: string[] = [];
  for (const { kind, status } of tries) {
    const isExpected = status === null || status === 401 || (status === 429 && kind !== "flood");
    if (!isExpected) faults.push(`${kind}: a wrong password was answered ${status}`);
  }
  for (const kind of ["account", "network"] as const) {
    const { free, recoverMs } = rules[kind];
    const pauses = Math.floor(Math.log2(1 + elapsedMs / 1_000));
    const most = free + Math.floor(elapsedMs / recoverMs) + pauses;
    const checked = countTries(tries, kind, 401);
    if (checked > most) faults.push(`${kind}: ${checked} wrong passwords were checked, and ${most} may be`);
    if (checked + countTries(tries, kind, null) < free)
      faults.push(`${kind}: only ${checked} were checked, and ${free} go free`);
  }
  return faults;
}

const countTries = (tries: readonly Try[], kind: Try["kind"], status: Try["status"]) =>
  tries.filter((one) => one.kind === kind && one.status === status).length;
