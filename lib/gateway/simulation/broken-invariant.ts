/** An invariant that did not hold. */
export class BrokenInvariant extends Error {
  constructor(
    /** As `npm run doctor` numbers them, or a word for those that have no number. */
    readonly invariant: string,
    message: string,
  ) {
    super(`${invariant}: ${message}`);
  }
}

/** @throws BrokenInvariant unless `holds`. */
export function must(holds: boolean, invariant: string, message: () => string): asserts holds {
  if (!holds) throw new BrokenInvariant(invariant, message());
}
