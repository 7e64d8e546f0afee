interface Difference {
  readonly kind: "same" | "added" | "removed";
  readonly text: string;
}

/** With more edits than this, the whole text counts as replaced, since nobody reads so many. */
const MAX_EDITS = 2_000;

/** Compares two texts word by word with the shortest edit script (Myers, 1986). */
export function diffWords(before: string, after: string): Difference[] {
  const [a, b] = [splitWords(before), splitWords(after)];
  const steps = shortestEdit(a, b);
  const found: { kind: Difference["kind"]; text: string }[] = [];
  const add = (kind: Difference["kind"], text: string) => {
    const last = found.at(-1);
    if (last?.kind === kind) last.text += text;
    else if (text !== "") found.push({ kind, text });
  };
  if (!steps) {
    add("removed", before);
    add("added", after);
    return found;
  }
  for (const [kind, text] of steps) add(kind, text);
  return found;
}

/** Splits a text into words and the separators between them. */
function splitWords(text: string): string[] {
  return text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];
}

type Step = readonly [kind: Difference["kind"], text: string];

/** Undefined if there are too many differences. */
function shortestEdit(a: readonly string[], b: readonly string[]): Step[] | undefined {
  const most = Math.min(a.length + b.length, MAX_EDITS);
  const reach = new Map([[1, 0]]);
  const history: Map<number, number>[] = [];
  for (let edits = 0; edits <= most; edits++) {
    history.push(new Map(reach));
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = isDown(reach, diagonal, edits)
        ? (reach.get(diagonal + 1) ?? 0)
        : (reach.get(diagonal - 1) ?? 0) + 1;
      while (x < a.length && x - diagonal < b.length && a[x] === b[x - diagonal]) x++;
      reach.set(diagonal, x);
      if (x >= a.length && x - diagonal >= b.length) return traceBack(a, b, history);
    }
  }
  return undefined;
}

function isDown(reach: ReadonlyMap<number, number>, diagonal: number, edits: number): boolean {
  if (diagonal === -edits) return true;
  return diagonal !== edits && (reach.get(diagonal - 1) ?? 0) < (reach.get(diagonal + 1) ?? 0);
}

function traceBack(
  a: readonly string[],
  b: readonly string[],
  history: readonly Map<number, number>[],
): Step[] {
  const steps: Step[] = [];
  let [x, y] = [a.length, b.length];
  for (let edits = history.length - 1; edits >= 0; edits--) {
    const reach = history[edits] ?? new Map<number, number>();
    const diagonal = x - y;
    const previous = isDown(reach, diagonal, edits) ? diagonal + 1 : diagonal - 1;
    const fromX = reach.get(previous) ?? 0;
    const fromY = fromX - previous;
    while (x > fromX && y > fromY) {
      steps.push(["same", a[x - 1] ?? ""]);
      x--;
      y--;
    }
    if (edits > 0) steps.push(x === fromX ? ["added", b[fromY] ?? ""] : ["removed", a[fromX] ?? ""]);
    [x, y] = [fromX, fromY];
  }
  return steps.toReversed();
}
