import type { Database } from "bun:sqlite";
import { formatAmount, toNano } from "@/lib/money/amount";
import { type Check, countOf, listed, rowsOf } from "./check";
import { counted } from "./counted";

const money = (amount: bigint) => formatAmount(toNano(amount));

const heldIsTheSum: Check = {
  title: "I13 the amount on hold is the sum of the open holds",
  run(database) {
    if (!hasOwners(database)) return notYet;
    const accounts = rowsOf<{ name: string; held: bigint; sum: bigint }>(
      database,
      `SELECT name, held, iif(name = 'balance', (SELECT coalesce(sum(amount), 0) FROM holds), 0) AS sum FROM accounts`,
    );
    const faults = accounts
      .filter(({ held, sum }) => held !== sum)
      .map(({ name, held, sum }) => {
        const other = `The account ${name} says that ${money(held)} are held, and only the balance is held from: its part is 0.`;
        const own = `The balance says that ${money(held)} are held, the open holds add up to ${money(sum)}: they differ by ${money(held - sum)}.`;
        return `${name === "balance" ? own : other} Look at what wrote it; restore a backup.`;
      });
    return { checked: `${money(accounts.reduce((total, { held }) => total + held, 0n))} held`, faults };
  },
};

const holdsHaveOwners: Check = {
  title: "I14 each open hold has an owner with a lease",
  run(database) {
    if (!hasOwners(database)) return notYet;
    const lost = rowsOf<{ request_id: string; owner: string }>(
      database,
      "SELECT request_id, owner FROM holds WHERE owner NOT IN (SELECT owner FROM leases)",
    );
    const faults = lost.map(
      ({ request_id, owner }) =>
        `The hold of ${request_id} is ${owner}'s, who has no lease: nobody resolves it. Add the owner to leases with an end of 0, and the next start does.`,
    );
    return {
      checked: `${counted(countOf(database, "FROM leases"), "owner")}, ${counted(countOf(database, "FROM holds"), "open hold")}`,
      faults: listed(faults),
    };
  },
};

const notYet = { checked: "no owners", faults: ["Holds have no owners yet: start Gatehouse once."] };

function hasOwners(database: Database): boolean {
  return countOf(database, "FROM sqlite_master WHERE name = 'leases'") > 0n;
}

export const holdChecks: readonly Check[] = [heldIsTheSum, holdsHaveOwners];
