import type { ScannedObject } from "./scan-json";

/** A value to set in the outermost object, as JSON text; null removes the member. */
export type Changes = ReadonlyMap<string, string | null>;

/**
 * Sets or removes members of a JSON object in its text; every other byte stays. New members are appended.
 * @param scanned the result of `scanObject` for this same text, without duplicates.
 */
export function spliceObject(text: string, { members }: ScannedObject, changes: Changes): string {
  if (changes.size === 0) return text;
  let result = "";
  let copied = 0;
  let kept = 0;
  let end = text.indexOf("{") + 1;
  for (const [name, member] of members) {
    // Where no member is left before it, the comma after the removed member is removed instead.
    if (kept === 0 && copied > 0) copied = member.start;
    const change = changes.get(name);
    if (change === undefined) kept++;
    else {
      // The comma before a removed member is removed with it.
      const cut = change !== null ? member.valueStart : kept === 0 ? member.start : end;
      if (cut > copied) result += text.slice(copied, cut);
      if (change !== null) {
        result += change;
        kept++;
      }
      copied = member.end;
    }
    end = member.end;
  }
  let added = "";
  for (const [name, change] of changes) {
    if (change === null || members.has(name)) continue;
    added += `${kept++ > 0 ? "," : ""}${JSON.stringify(name)}:${change}`;
  }
  if (added === "") return result + text.slice(copied);
  return result + (end > copied ? text.slice(copied, end) : "") + added + text.slice(end);
}
