import { Database } from "bun:sqlite";
import { examine } from "@/lib/gateway/doctor/examine-outputs";

/**
 * The charge for one whole reply of the fake provider: 20 tokens in at 1.00 and 50 out at 2.00 per million, in
 * nano-units.
 */
const CHARGE_NANO = 120_000n;

/** What clients received from a gateway. */
export interface ReceivedReplies {
  readonly whole: number;
  /** For each client that left during its stream: the number of words it had read, of one token each. */
  readonly left?: readonly number[];
  /** The number of words that the provider had written to all of those. */
  readonly writtenToLeft?: number;
}

interface Charge {
  readonly outcome: string;
  readonly amount: bigint;
  readonly tokens: bigint;
}

/** Faults in the ledger of a stopped gateway, found by the doctor and by comparing it with what clients received. */
export function findChargeFaults(path: string, received: ReceivedReplies): string[] {
  const unsound = examine(path, Date.now()).flatMap(({ faults }) => faults);
  using database = new Database(path, { readonly: true, safeIntegers: true });
  const charges = database
    .query<Charge, []>(
      "SELECT outcome, amount, completion_tokens AS tokens FROM ledger_entries WHERE kind = 'charge'",
    )
    .all();
  const open = database.query("SELECT * FROM holds").all().length;
  return [
    ...unsound,
    ...(open === 0 ? [] : [`${open} holds are open`]),
    ...findWholeFaults(charges, received),
    ...findLeftFaults(charges, received),
  ];
}

function findWholeFaults(charges: readonly Charge[], { whole, left = [] }: ReceivedReplies): string[] {
  const completed = charges.filter(({ outcome }) => outcome === "completed");
  const odd = completed.filter(({ amount }) => amount !== CHARGE_NANO).length;
  const received = whole + left.length;
  return [
    ...(charges.length === received ? [] : [`${charges.length} charges for ${received} replies`]),
    ...(completed.length === whole ? [] : [`${completed.length} charges for ${whole} whole replies`]),
    ...(odd === 0 ? [] : [`${odd} whole replies are charged another amount than they cost`]),
  ];
}

/**
 * Each stream must be charged for at least what its client read, and all together for at most what the provider wrote.
 */
function findLeftFaults(
  charges: readonly Charge[],
  { left = [], writtenToLeft = Number.POSITIVE_INFINITY }: ReceivedReplies,
): string[] {
  const ascending = (one: number, other: number) => one - other;
  const gone = charges.filter(({ outcome }) => outcome === "client_gone");
  const tokens = gone.map((charge) => Number(charge.tokens)).toSorted(ascending);
  const tooFew = left.toSorted(ascending).filter((words, index) => (tokens[index] ?? 0) < words).length;
  const charged = tokens.reduce((sum, count) => sum + count, 0);
  return [
    ...(gone.length === left.length ? [] : [`${gone.length} charges for ${left.length} streams left`]),
    ...(tooFew === 0 ? [] : [`${tooFew} streams are charged for less than their clients read`]),
    ...(charged <= writtenToLeft ? [] : [`${charged} tokens are charged of ${writtenToLeft} written`]),
  ];
}
