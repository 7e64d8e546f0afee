/** A computation in slices of a few milliseconds. It yields between them, so that the page can answer meanwhile. */
export type Sliced<Result> = Generator<undefined, Result, void>;

/** Rows between two pauses. */
export const SLICE = 4_000;

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
