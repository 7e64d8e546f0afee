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
