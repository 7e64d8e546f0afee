import { DEVICE_HEADER } from "@/lib/contract/operations/sign-in";
import type { Transaction } from "../changes/transaction";
import type { Effects } from "../effects";
import { hashSecret } from "../secrets/hash-secret";
import { newToken } from "../secrets/new-token";
import { type AttemptRule, attemptRules } from "../sign-in/attempt-rules";
import type { Attempts, CountedAttempt } from "../sign-in/attempts";
import type { DeviceStore } from "../sign-in/devices";
import { networkOf } from "../sign-in/network-of";

export interface AttemptContext {
  readonly attempts: Attempts;
  readonly devices: DeviceStore;
  readonly effects: Effects;
}

/** Where a request comes from. */
export interface Visitor {
  readonly headers: Headers;
  readonly address: string | null;
}

/** What is tried; `userId` is null for an address that is nobody's, which is counted all the same. */
interface Attempt {
  readonly what: "password" | "code" | "mail";
  readonly email: string;
  readonly userId: string | null;
}

const rulesOf: Readonly<Record<Attempt["what"], { account: AttemptRule; network: AttemptRule }>> = {
  password: attemptRules,
  code: attemptRules,
  mail: { account: attemptRules.mail, network: attemptRules.mailsOfNetwork },
};

/**
 * Counts an attempt at an account: under the device where the member has signed in with it before, so that no stranger uses up
 * their attempts; under the account and the network otherwise. @throws Refusal 429
 */
export async function countAttempt(
  { attempts, devices }: AttemptContext,
  { headers, address }: Visitor,
  { what, email, userId }: Attempt,
): Promise<CountedAttempt> {
  const device = deviceOf(headers);
  const members = device === null ? [] : await devices.membersOf(device);
  if (userId !== null && members.includes(userId)) {
    return attempts.count([{ name: `${what} ${userId} ${device}`, rule: attemptRules.ownDevice }]);
  }
  const { account, network } = rulesOf[what];
  return attempts.count([
    { name: `${what} ${email}`, rule: account },
    { name: `${what} from ${networkOf(address)}`, rule: network },
  ]);
}

/** Counts what makes work for the OpenID provider or for us, whoever it is about. @throws Refusal 429 */
export function countSingleSignOn(
  { attempts }: AttemptContext,
  { address }: Visitor,
): Promise<CountedAttempt> {
  const rule = attemptRules.signOnsOfNetwork;
  return attempts.count([{ name: `single sign-on from ${networkOf(address)}`, rule }]);
}

/** Notes the device of a member who has just shown who they are. @returns its token, where it had none. */
export async function rememberDevice(
  { devices, effects }: AttemptContext,
  transaction: Transaction,
  { headers }: Visitor,
  userId: string,
): Promise<string | null> {
  const atMs = effects.clock.nowMs();
  const known = deviceOf(headers);
  if (known !== null && (await devices.membersOf(known)).length > 0) {
    await devices.keep(transaction, known, userId, atMs);
    return null;
  }
  const token = newToken("gd_", effects.random);
  await devices.keep(transaction, hashSecret(token), userId, atMs);
  return token;
}

/** The hash of the device's token. */
export function deviceOf(headers: Headers): string | null {
  const token = headers.get(DEVICE_HEADER);
  return token ? hashSecret(token) : null;
}
