/** Runs changes one after another, so that nobody writes between a check and the write that relies on it. */
export type Turn = <Result>(work: () => Promise<Result>) => Promise<Result>;
