import type { ScannedObject } from "./scan-json";

/** A value to set in the outermost object, as JSON text; null removes the member. */
export type Changes = ReadonlyMap<string, string | null>;

/**
 * Sets or removes members of a JSON object in its text; every other byte stays. New members go to the end.
 * @param scanned what `scanObject` found in this very text, without duplicates.
 */
export function spliceObject(text: string, { members }: ScannedObject, changes: Changes): string {
  const entries = [...members];
  let result = "";
  let copied = 0;
  let kept = 0;
  for (const [position, [name, member]] of entries.entries()) {
    const change = changes.get(name);
    if (change === undefined) kept++;
    else if (change === null) {
      // The comma before it goes too, or the one behind it where nothing kept stands before.
      const previous = entries[position - 1]?.[1];
      const next = entries[position + 1]?.[1];
      const start = kept === 0 || !previous ? member.start : Math.max(copied, previous.end);
      result += text.slice(copied, start);
      copied = kept === 0 && next ? next.start : member.end;
    } else {
      result += text.slice(copied, member.valueStart) + change;
      copied = member.end;
      kept++;
    }
  }
  const added = [...changes].filter(([name, change]) => change !== null && !members.has(name));
  if (added.length === 0) return result + text.slice(copied);
  const end = Math.max(copied, entries.at(-1)?.[1].end ?? text.indexOf("{") + 1);
  result += text.slice(copied, end);
  for (const [name, change] of added) {
    result += `${kept++ > 0 ? "," : ""}${JSON.stringify(name)}:${change}`;
  }
  return result + text.slice(end);
}
