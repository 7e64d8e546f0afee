import { releaseUnsaved } from "@/components/ui/dialog/unsaved";

/**
 * A `localStorage` key, shared by all tabs: the person who is signed in in this browser, as the page that was loaded
 * last knows.
 */
const PERSON = "gatehouse:person";

let pagePerson: string | null = null;

/**
 * Says that this page was made for `person`, and loads it anew once this browser is signed in as somebody else or as
 * nobody: its requests would be made as that person. Returns a function that stops this.
 */
export function followPerson(person: string): () => void {
  pagePerson = claim(person);
  const follow = ({ key }: StorageEvent) => key === PERSON && reloadIfReplaced();
  window.addEventListener("storage", follow);
  // A page that was frozen has missed the event.
  window.addEventListener("pageshow", reloadIfReplaced);
  return () => {
    pagePerson = null;
    window.removeEventListener("storage", follow);
    window.removeEventListener("pageshow", reloadIfReplaced);
  };
}

/** True if this browser is now signed in as another person than this page was made for, or as nobody. */
export function isPersonReplaced(): boolean {
  return pagePerson !== null && pagePerson !== readPerson();
}

/** Loads the page anew, as the person who is signed in now. Nothing asks about typed input: it isn't theirs. */
export function reloadIfReplaced(): boolean {
  if (!isPersonReplaced()) return false;
  releaseUnsaved();
  window.location.reload();
  return true;
}

/** Records that nobody is signed in in this browser any more. */
export function forgetPerson(): void {
  pagePerson = null;
  try {
    localStorage.removeItem(PERSON);
  } catch {
    // It was never stored.
  }
}

/** Returns null if the browser forbids storage: then other tabs can't be followed. */
function claim(person: string): string | null {
  try {
    localStorage.setItem(PERSON, person);
  } catch {
    return null;
  }
  return readPerson();
}

function readPerson(): string | null {
  try {
    return localStorage.getItem(PERSON);
  } catch {
    return null;
  }
}

type Work = () => Promise<unknown>;

const works = new Set<Work>();

/**
 * Registers what has to be done while the session still lasts, such as a save. Returns a function that unregisters it.
 */
export function registerBeforeSignOut(work: Work): () => void {
  works.add(work);
  return () => void works.delete(work);
}

/** Resolves once all of it is done, or has failed: a sign-out doesn't fail for it. */
export async function finishBeforeSignOut(): Promise<void> {
  await Promise.allSettled([...works].map(async (work) => work()));
}
