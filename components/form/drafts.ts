/**
 * What was typed and not saved, kept in this tab alone until it is saved, discarded or its person signs out: a session that
 * ends, or a page that is loaded anew, loses nothing. Secrets never get here (`secret-fields.ts`).
 */
export type DraftPlace = {
  /** Who typed it. */
  person: string;
  /** The project the page looked at. */
  project: string;
  path: string;
  /** The form, among those of its page. */
  name: string;
};

export type Draft = {
  values: Readonly<Record<string, unknown>>;
  /** The object that the values change, as it was when they were typed; null where they make a new one. */
  base: object | null;
};

const PREFIX = "gatehouse:draft:";
/** In `localStorage`, which all tabs share: a new one with each sign-out, after which no older draft is read. */
const ERA = "gatehouse:era";

const keyOf = ({ person, project, path, name }: DraftPlace) =>
  PREFIX + JSON.stringify([person, project, path, name]);

/** `draft` must be JSON; null where nothing is left to keep. */
export function keepDraft(place: DraftPlace, draft: Draft | null): void {
  withStorage(() => {
    if (draft === null) sessionStorage.removeItem(keyOf(place));
    else sessionStorage.setItem(keyOf(place), JSON.stringify({ era: pageEra, ...draft }));
  });
}

export function readDraft(place: DraftPlace): Draft | null {
  return withStorage(() => {
    const draft = JSON.parse(sessionStorage.getItem(keyOf(place)) ?? "null");
    return draft?.era === currentEra() ? { values: draft.values, base: draft.base ?? null } : null;
  });
}

/** Forgets the drafts of everyone in this browser: at the sign-out. */
export function forgetDrafts(): void {
  withStorage(() => {
    localStorage.setItem(ERA, crypto.getRandomValues(new Uint32Array(2)).join("-"));
    dropDrafts();
    pageEra = currentEra();
  });
}

/** Forgets this tab's drafts when somebody signs out in another. What is typed here afterwards belongs to an era that is over. */
export function followSignOut(): () => void {
  const follow = (event: StorageEvent) => event.key === ERA && withStorage(dropDrafts);
  window.addEventListener("storage", follow);
  return () => window.removeEventListener("storage", follow);
}

function currentEra(): string | null {
  return localStorage.getItem(ERA);
}

let pageEra = withStorage(currentEra);

function dropDrafts(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
}

/** On the server there is no storage, and a browser may forbid it or have none left: then nothing is kept. */
function withStorage<Result>(work: () => Result): Result | null {
  if (typeof window === "undefined") return null;
  try {
    return work();
  } catch {
    return null;
  }
}
