import { beginsWords } from "../search/match-words";
import type { MenuSection } from "./menu-group";

/** Menus with more entries than this have a search. */
const SEARCHED_FROM = 12;
/** Maximum number of rendered entries. */
const MAX_SHOWN = 100;

export function isSearched(sections: readonly MenuSection[]): boolean {
  return sections.reduce((sum, { entries }) => sum + entries.length, 0) > SEARCHED_FROM;
}

/**
 * Returns the sections with the entries that match every typed word by the start of a word, at most `MAX_SHOWN` of
 * them, and the number of further matches.
 */
export function findEntries(
  sections: readonly MenuSection[],
  search: string,
): { sections: MenuSection[]; hiddenCount: number } {
  let room = MAX_SHOWN;
  let hiddenCount = 0;
  const matchingSections = sections.flatMap((section) => {
    const fitting = section.entries.filter(({ label, note = "" }) => beginsWords(`${label} ${note}`, search));
    // Short sections, such as “Manage projects” at the end, are always shown, even after a long one.
    const entries = section.entries.length > SEARCHED_FROM ? fitting.slice(0, room) : fitting;
    room -= entries.length;
    hiddenCount += fitting.length - entries.length;
    return entries.length > 0 ? [{ ...section, entries }] : [];
  });
  return { sections: matchingSections, hiddenCount };
}
