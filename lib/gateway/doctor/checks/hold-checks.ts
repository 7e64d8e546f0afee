import type { Database } from "bun:sqlite";
import { formatCount } from "../format-count";
import { formatNano } from "../format-nano";
import { type Check, countRows, limitFaults, queryRows } from "./check";

export const HELD_IS_THE_SUM = "I13 the amount on hold is the sum of the open holds";

const heldIsTheSum: Check = {
  title: HELD_IS_THE_SUM,
  run(database) {
    if (!hasOwners(database)) return notYet;
    const accounts = queryRows<{ name: string; held: bigint; sum: bigint }>(
      database,
      `SELECT name, held, iif(name = 'balance', (SELECT coalesce(sum(amount), 0) FROM holds), 0) AS sum FROM accounts`,
    );
    const faults = accounts
      .filter(({ held, sum }) => held !== sum)
      .map(({ name, held, sum }) => {
        const otherFault = `The account ${name} says that ${formatNano(held)} are held, and only the balance is held from: its part is 0.`;
        const balanceFault = `The balance says that ${formatNano(held)} are held, the open holds add up to ${formatNano(sum)}: they differ by ${formatNano(held - sum)}.`;
        return `${name === "balance" ? balanceFault : otherFault} Look at what wrote it; restore a backup.`;
      });
    return { checked: `${formatNano(accounts.reduce((total, { held }) => total + held, 0n))} held`, faults };
  },
};

export const HOLDS_HAVE_OWNERS = "I14 each open hold has an owner with a lease";

export const SELECT_LOST_HOLDS =
  "SELECT request_id, owner FROM holds WHERE owner NOT IN (SELECT owner FROM leases)";

export interface LostHold {
  readonly request_id: string;
  readonly owner: string;
}

export const describeLostHold = ({ request_id, owner }: LostHold) =>
  `The hold of ${request_id} is ${owner}'s, who has no lease: nobody resolves it. Add the owner to leases with an end of 0, and the next start does.`;

const holdsHaveOwners: Check = {
  title: HOLDS_HAVE_OWNERS,
  run(database) {
    if (!hasOwners(database)) return notYet;
    const lostHolds = queryRows<LostHold>(database, SELECT_LOST_HOLDS);
    return {
      checked: `${formatCount(countRows(database, "FROM leases"), "owner")}, ${formatCount(countRows(database, "FROM holds"), "open hold")}`,
      faults: limitFaults(lostHolds.map(describeLostHold)),
    };
  },
};

const notYet = { checked: "no owners", faults: ["Holds have no owners yet: start Gatehouse once."] };

function hasOwners(database: Database): boolean {
  return countRows(database, "FROM sqlite_master WHERE name = 'leases'") > 0n;
}

export const holdChecks: readonly Check[] = [heldIsTheSum, holdsHaveOwners];
