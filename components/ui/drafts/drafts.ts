import { isObject } from "@/lib/contract/json-value";
import { releaseUnsaved } from "../dialog/unsaved";

/**
 * Where a draft is stored. A draft is unsaved input, kept in this tab until it is saved or discarded, or the person
 * signs out. It survives a reload and the end of the session. Secrets are never stored (`secret-fields.ts`).
 */
export type DraftLocation = {
  /** The person who typed the draft. */
  person: string;
  path: string;
  /** The form's name, unique on its page. */
  name: string;
};

export type Draft = {
  values: Readonly<Record<string, unknown>>;
  /** The object being edited, as it was when the edit began; null for a new object. */
  base: object | null;
};

const PREFIX = "gatehouse:draft:";
/** A `localStorage` key, shared by all tabs. Each sign-out sets a new era, and drafts of older eras are ignored. */
const ERA = "gatehouse:era";

const formatDraftKey = ({ person, path, name }: DraftLocation) =>
  PREFIX + JSON.stringify([person, path, name]);

/** Stores `draft`, which must be JSON. Null removes the stored draft. */
export function saveDraft(location: DraftLocation, draft: Draft | null): void {
  // After a sign-out the page still shows that person's input, which must not become a draft.
  if (session === "out") return;
  withStorage(() => {
    if (draft === null) sessionStorage.removeItem(formatDraftKey(location));
    else sessionStorage.setItem(formatDraftKey(location), JSON.stringify({ era: pageEra, ...draft }));
  });
}

export function readDraft(location: DraftLocation): Draft | null {
  return withStorage(() => {
    const draft = JSON.parse(sessionStorage.getItem(formatDraftKey(location)) ?? "null");
    if (draft?.era !== currentEra() || !isObject(draft.values)) return null;
    return { values: draft.values, base: draft.base ?? null };
  });
}

/** Begins the drafts of a person who has just signed in. */
export function beginDrafts(): void {
  session = "in";
  pageEra = withStorage(currentEra);
}

/** True from the sign-out on. A request that then finds the session ended doesn't report it. */
export function isSigningOut(): boolean {
  return session !== "in";
}

export function beginSignOut(): void {
  session = "leaving";
}

/** The session goes on, since the sign-out was refused. */
export function cancelSignOut(): void {
  session = "in";
}

/** The sign-out is done: removes all drafts in this browser, and stores none until `beginDrafts`. */
export function removeDrafts(): void {
  withStorage(() => {
    localStorage.setItem(ERA, crypto.getRandomValues(new Uint32Array(2)).join("-"));
    dropDrafts();
  });
  session = "out";
}

/** When another tab signs out, removes this tab's drafts and loads its page anew, which leads to the sign-in screen. */
export function followSignOut(): () => void {
  const follow = (event: StorageEvent) => {
    if (event.key !== ERA) return;
    withStorage(dropDrafts);
    session = "out";
    releaseUnsaved();
    window.location.reload();
  };
  window.addEventListener("storage", follow);
  return () => window.removeEventListener("storage", follow);
}

function currentEra(): string | null {
  return localStorage.getItem(ERA);
}

/**
 * The session of this page's person. `leaving`: the sign-out was asked for and can still be refused, so drafts are
 * kept.
 */
let session: "in" | "leaving" | "out" = "in";
let pageEra = withStorage(currentEra);

function dropDrafts(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
}

/** Returns null if there is no storage: on the server, or if the browser forbids it or it is full. */
function withStorage<Result>(work: () => Result): Result | null {
  if (typeof window === "undefined") return null;
  try {
    return work();
  } catch {
    return null;
  }
}
