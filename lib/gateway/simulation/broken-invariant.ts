/** An invariant that did not hold. */
export class BrokenInvariant extends Error {
  constructor(
    /** The invariant's number in `npm run doctor`, or a word for one without a number. */
    readonly invariant: string,
    message: string,
  ) {
    super(`${invariant}: ${message}`);
  }
}

/** @throws BrokenInvariant unless `holds`. */
export function ensure(holds: boolean, invariant: string, message: () => string): asserts holds {
  if (!holds) throw new BrokenInvariant(invariant, message());
}
