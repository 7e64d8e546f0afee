import type { ScannedObject } from "./scan-json";

/** A value to set in the outermost object, as JSON text; null removes the member. */
type Changes = ReadonlyMap<string, string | null>;

/**
 * Sets or removes members of a JSON object in its text; every other byte stays. New members are appended.
 * The members are those of `scanObject` for this same text, without duplicates.
 */
export function spliceObject(text: string, { members }: ScannedObject, changes: Changes): string {
  if (changes.size === 0) return text;
  let result = "";
  let copiedUntil = 0;
  let memberCount = 0;
  let end = text.indexOf("{") + 1;
  for (const [name, member] of members) {
    // If no member is left before it, the comma after the removed member is removed instead.
    if (memberCount === 0 && copiedUntil > 0) copiedUntil = member.start;
    const change = changes.get(name);
    if (change === undefined) memberCount++;
    else {
      // The comma before a removed member is removed with it.
      const cutAt = change !== null ? member.valueStart : memberCount === 0 ? member.start : end;
      if (cutAt > copiedUntil) result += text.slice(copiedUntil, cutAt);
      if (change !== null) {
        result += change;
        memberCount++;
      }
      copiedUntil = member.end;
    }
    end = member.end;
  }
  let newMembers = "";
  for (const [name, change] of changes) {
    if (change === null || members.has(name)) continue;
    newMembers += `${memberCount++ > 0 ? "," : ""}${JSON.stringify(name)}:${change}`;
  }
  if (newMembers === "") return result + text.slice(copiedUntil);
  return result + (end > copiedUntil ? text.slice(copiedUntil, end) : "") + newMembers + text.slice(end);
}
