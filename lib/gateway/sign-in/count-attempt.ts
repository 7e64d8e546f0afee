import { findNetwork } from "@/lib/client-address/find-network";
import { type AttemptRule, attemptRules } from "./attempt-rules";
import type { Attempts, CountedAttempt } from "./attempts";
import type { DeviceStore } from "./device-store.sql";
import { hashDevice } from "./devices";
import type { Visitor } from "./visitor";

/** An attempt. `userId` is null if no member has the address; such attempts count all the same. */
interface Attempt {
  readonly what: "password" | "code" | "mail";
  readonly email: string;
  readonly userId: string | null;
}

const rulesByAttempt: Readonly<Record<Attempt["what"], { account: AttemptRule; network: AttemptRule }>> = {
  password: attemptRules,
  code: attemptRules,
  mail: { account: attemptRules.mail, network: attemptRules.networkMails },
};

/**
 * Counts an attempt at an account: under the device if it is known to the member, so that strangers can't use up the
 * member's attempts; otherwise under the account and the network.
 * @throws Refusal 429
 */
export async function countAttempt(
  { attempts, devices }: { attempts: Attempts; devices: DeviceStore },
  visitor: Visitor,
  { what, email, userId }: Attempt,
): Promise<CountedAttempt> {
  const device = hashDevice(visitor);
  const members = device === null ? [] : await devices.listMembers(device);
  if (userId !== null && members.includes(userId)) {
    return attempts.count([{ name: `${what} ${userId} ${device}`, rule: attemptRules.ownDevice }]);
  }
  const { account, network } = rulesByAttempt[what];
  return attempts.count([
    { name: `${what} ${email}`, rule: account },
    { name: `${what} from ${findNetwork(visitor.address ?? "unknown")}`, rule: network },
  ]);
}

/**
 * Counts a single sign-on by its network: each one costs the OpenID provider and the gateway work.
 * @throws Refusal 429
 */
export function countSingleSignOn(
  { attempts }: { attempts: Attempts },
  { address }: Visitor,
): Promise<CountedAttempt> {
  const rule = attemptRules.networkSignOns;
  return attempts.count([{ name: `single sign-on from ${findNetwork(address ?? "unknown")}`, rule }]);
}
