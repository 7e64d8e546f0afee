import type { MenuSection } from "./menu-group";

/** A menu of more entries than this is searched. */
const SEARCHED_FROM = 12;
/** The most entries that are drawn: with more, people search. */
const MOST_SHOWN = 100;

export function isSearched(sections: readonly MenuSection[]): boolean {
  return sections.reduce((sum, { entries }) => sum + entries.length, 0) > SEARCHED_FROM;
}

/** The sections with the entries that have a word beginning with each word typed, at most a hundred, and how many more fit. */
export function findEntries(
  sections: readonly MenuSection[],
  search: string,
): { found: MenuSection[]; left: number } {
  const typed = search.toLowerCase().split(/\s+/).filter(Boolean);
  let room = MOST_SHOWN;
  let left = 0;
  const found = sections.flatMap((section) => {
    const fitting = section.entries.filter(({ label, note = "" }) => {
      const words = `${label} ${note}`.toLowerCase().split(/[\s/,.()-]+/);
      return typed.every((start) => words.some((word) => word.startsWith(start)));
    });
    // A short section, such as “All projects” at the end, is not crowded out by a long one.
    const entries = section.entries.length > SEARCHED_FROM ? fitting.slice(0, room) : fitting;
    room -= entries.length;
    left += fitting.length - entries.length;
    return entries.length > 0 ? [{ ...section, entries }] : [];
  });
  return { found, left };
}
