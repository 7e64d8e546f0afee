import { containsWords } from "@/components/ui/search/match-words";
import { applies, type LimitPair, limitField } from "./limit-pair";
import { SLICE, type Sliced, sortInSlices } from "./sort-in-slices";

/** A row that is shown: the head of a group, or a pair. */
export type GridItem =
  | {
      readonly kind: "group";
      readonly key: string;
      readonly name: string;
      readonly pairs: readonly LimitPair[];
      readonly isOpen: boolean;
    }
  | { readonly kind: "pair"; readonly key: string; readonly pair: LimitPair };

export type GroupBy = "project" | "model" | "none";

/** By the numbers of a column, within each group. */
export interface GridSort {
  readonly column: number;
  readonly isDescending: boolean;
}

export interface Arrangement {
  readonly text: string;
  readonly family: string;
  readonly provider: string;
  readonly setByHand: boolean;
  /** Keeps only these pairs: those that were changed, or near their limits, when the filter was chosen. */
  readonly keys: ReadonlySet<string> | null;
  readonly groupBy: GroupBy;
  /** Null for the order of names. */
  readonly sort: GridSort | null;
  /** The keys of the groups that are closed. */
  readonly closed: ReadonlySet<string>;
}

/** Filters, groups and sorts the pairs. */
export function* arrangePairs(
  pairs: readonly LimitPair[],
  { groupBy, sort, closed, ...filter }: Arrangement,
): Sliced<GridItem[]> {
  const shown: LimitPair[] = [];
  const projects = new Map<string, string>();
  const models = new Map<string, string>();
  for (const [index, pair] of pairs.entries()) {
    if (index % SLICE === 0) yield;
    if (!isShown(pair, filter)) continue;
    shown.push(pair);
    projects.set(pair.projectId, pair.projectName);
    models.set(pair.model, pair.model);
  }
  const compare = comparePairs(rankNames(projects), rankNames(models), groupBy, sort);
  const sorted = yield* sortInSlices(shown, compare);
  const items: GridItem[] = [];
  let group = { key: "", isOpen: true, pairs: [] as LimitPair[] };
  for (const [index, pair] of sorted.entries()) {
    if (index % SLICE === 0) yield;
    if (groupBy !== "none") {
      const [key, name] =
        groupBy === "project" ? [pair.projectId, pair.projectName] : [pair.model, pair.model];
      if (group.key !== key) {
        group = { key, isOpen: !closed.has(key), pairs: [] };
        items.push({ kind: "group", name, ...group });
      }
      group.pairs.push(pair);
      if (!group.isOpen) continue;
    }
    items.push({ kind: "pair", key: pair.key, pair });
  }
  return items;
}

type Filter = Pick<Arrangement, "text" | "family" | "provider" | "setByHand" | "keys">;

function isShown(pair: LimitPair, { text, family, provider, keys, setByHand }: Filter): boolean {
  if (keys && !keys.has(pair.key)) return false;
  if (setByHand && pair.ownFields.length === 0) return false;
  if (family !== "" && pair.family !== family) return false;
  if (provider !== "" && !pair.providers.includes(provider)) return false;
  return text === "" || containsWords(`${pair.projectName} ${pair.model}`, text);
}

type Ranks = ReadonlyMap<string, number>;
type Compare = (one: LimitPair, other: LimitPair) => number;

/** By group, then by the sorted column, then by name. */
function comparePairs(projects: Ranks, models: Ranks, groupBy: GroupBy, sort: GridSort | null): Compare {
  const byProject: Compare = (one, other) => rank(projects, one.projectId) - rank(projects, other.projectId);
  const byModel: Compare = (one, other) => rank(models, one.model) - rank(models, other.model);
  const byColumn: Compare = sort ? (one, other) => compareLimits(sort, one, other) : () => 0;
  const orders = {
    project: [byProject, byColumn, byModel],
    model: [byModel, byColumn, byProject],
    none: [byColumn, byProject, byModel],
  }[groupBy];
  const [first, second, third] = orders as [Compare, Compare, Compare];
  return (one, other) => first(one, other) || second(one, other) || third(one, other);
}

const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

/** The place of each key in the order of names. Names that are alike are told apart by their keys. */
function rankNames(names: ReadonlyMap<string, string>): Ranks {
  const ordered = [...names].toSorted(
    ([key, name], [otherKey, otherName]) =>
      collator.compare(name, otherName) || (key < otherKey ? -1 : Number(key > otherKey)),
  );
  return new Map(ordered.map(([key], place) => [key, place]));
}

const rank = (ranks: Ranks, key: string): number => ranks.get(key) ?? 0;

/** "No limit" is above every number. A limit that doesn't apply is last, whichever the direction. */
function compareLimits({ column, isDescending }: GridSort, one: LimitPair, other: LimitPair): number {
  const field = limitField(column);
  const [isA, isB] = [applies(one, field), applies(other, field)];
  if (!isA || !isB) return Number(isB) - Number(isA);
  const a = one.limits[field.name] ?? Number.MAX_VALUE;
  const b = other.limits[field.name] ?? Number.MAX_VALUE;
  return isDescending ? b - a : a - b;
}
