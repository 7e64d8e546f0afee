import { containsWords } from "@/components/ui/search/match-words";
import { applies, type LimitPair, limitField, nameModel } from "./limit-pair";

/** A row that is shown: the head of a group, or a pair. */
export type GridItem =
  | {
      readonly kind: "group";
      readonly key: string;
      readonly name: string;
      readonly pairs: readonly LimitPair[];
      readonly isOpen: boolean;
      readonly of: "project" | "plan" | "default" | "model";
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
  /** The keys of the groups that were closed, or of defaults and plans those that were opened. */
  readonly toggled: ReadonlySet<string>;
}

/** Filters, groups and sorts the pairs. */
export function* arrangePairs(
  pairs: readonly LimitPair[],
  { groupBy, sort, toggled, ...filter }: Arrangement,
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
      const { key, name, of } = findGroup(pair, groupBy);
      if (group.key !== key) {
        const isOpenAtFirst = of === "project" || of === "model" || filter.keys !== null;
        group = { key, isOpen: isOpenAtFirst !== toggled.has(key), pairs: [] };
        items.push({ kind: "group", name, of, ...group });
      }
      group.pairs.push(pair);
      if (!group.isOpen) continue;
    }
    items.push({ kind: "pair", key: pair.key, pair });
  }
  return items;
}

/** The default of every model has no group: it is above all others. */
function findGroup(pair: LimitPair, groupBy: "project" | "model") {
  if (groupBy === "model") return { key: pair.model, name: pair.model, of: "model" as const };
  if (pair.kind === "default" && pair.model === "") return { key: "", name: "", of: pair.kind };
  const name = pair.kind === "default" ? "Defaults of models" : pair.projectName;
  return { key: pair.projectId, name, of: pair.kind };
}

type Filter = Pick<Arrangement, "text" | "family" | "provider" | "setByHand" | "keys">;

function isShown(pair: LimitPair, { text, family, provider, keys, setByHand }: Filter): boolean {
  if (keys && !keys.has(pair.key)) return false;
  if (setByHand && pair.ownFields.length === 0) return false;
  if (family !== "" && pair.family !== family) return false;
  if (provider !== "" && !pair.providers.includes(provider)) return false;
  return text === "" || containsWords(`${pair.projectName} ${nameModel(pair)}`, text);
}

type Ranks = ReadonlyMap<string, number>;
type Compare = (one: LimitPair, other: LimitPair) => number;

/** By group, then by the sorted column, then by name. */
function comparePairs(projects: Ranks, models: Ranks, groupBy: GroupBy, sort: GridSort | null): Compare {
  // Defaults and plans are above the projects that follow them, and every model above the others.
  const byKind: Compare = (one, other) => kinds.indexOf(one.kind) - kinds.indexOf(other.kind);
  const everyFirst: Compare = (one, other) => Number(other.model === "") - Number(one.model === "");
  const byProject: Compare = (one, other) => rank(projects, one.projectId) - rank(projects, other.projectId);
  const byModel: Compare = (one, other) => rank(models, one.model) - rank(models, other.model);
  const byColumn: Compare = sort ? (one, other) => compareLimits(sort, one, other) : () => 0;
  const orders = {
    project: [byKind, byProject, everyFirst, byColumn, byModel],
    model: [everyFirst, byModel, byKind, byColumn, byProject],
    none: [byKind, everyFirst, byColumn, byProject, byModel],
  }[groupBy];
  return (one, other) => {
    for (const order of orders) {
      const difference = order(one, other);
      if (difference !== 0) return difference;
    }
    return 0;
  };
}

const kinds = ["default", "plan", "project"];

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

/** A computation in slices of a few milliseconds. It yields between them, so that the page can answer meanwhile. */
type Sliced<Result> = Generator<undefined, Result, void>;

/** Rows between two pauses. */
const SLICE = 4_000;

/** Sorts a list of any length by merging sorted slices. Rows that compare equal keep their order. */
export function* sortInSlices<Row>(
  rows: readonly Row[],
  compare: (one: Row, other: Row) => number,
): Sliced<Row[]> {
  let runs: Row[][] = [];
  for (let at = 0; at < rows.length; at += SLICE) {
    runs.push(rows.slice(at, at + SLICE).toSorted(compare));
    yield;
  }
  while (runs.length > 1) {
    const merged: Row[][] = [];
    for (let at = 0; at < runs.length; at += 2) {
      const [one = [], other = []] = [runs[at], runs[at + 1]];
      merged.push(yield* merge(one, other, compare));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

function* merge<Row>(one: Row[], other: Row[], compare: (a: Row, b: Row) => number): Sliced<Row[]> {
  const merged: Row[] = [];
  let [at, otherAt] = [0, 0];
  while (at < one.length && otherAt < other.length) {
    const [a, b] = [one[at] as Row, other[otherAt] as Row];
    if (compare(a, b) <= 0) {
      merged.push(a);
      at++;
    } else {
      merged.push(b);
      otherAt++;
    }
    if (merged.length % SLICE === 0) yield;
  }
  return merged.concat(one.slice(at), other.slice(otherAt));
}

/** Does the work at once. */
export function finish<Result>(work: Sliced<Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** Milliseconds for which the work runs before the page may answer. */
const BUDGET_MS = 12;

/** Does the work with pauses, and then calls `done`. @returns a function that abandons it. */
export function runInSlices<Result>(work: Sliced<Result>, done: (result: Result) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const run = () => {
    const end = performance.now() + BUDGET_MS;
    do {
      const step = work.next();
      if (step.done) return done(step.value);
    } while (performance.now() < end);
    timer = setTimeout(run);
  };
  run();
  return () => clearTimeout(timer);
}
