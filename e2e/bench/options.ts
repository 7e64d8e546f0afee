export interface Options {
  readonly rounds: number;
  readonly durationMs: number;
  /** The beginning of the names of the workloads and trials to run. */
  readonly only: string | undefined;
  readonly isAll: boolean;
  readonly isAnyNoise: boolean;
  /** A file for the JSON that is also printed as the last line. */
  readonly jsonFile: string | undefined;
}

/** @throws Error for an option that should be a number and isn't. */
export function readOptions(words: readonly string[]): Options {
  const option = (name: string) => {
    const at = words.indexOf(`--${name}`);
    return at < 0 ? undefined : words[at + 1];
  };
  const above0 = (name: string, otherwise: number) => {
    const value = Number(option(name) ?? otherwise);
    if (value > 0) return value;
    throw new Error(`--${name} takes a number above 0`);
  };
  return {
    rounds: Math.ceil(above0("rounds", 3)),
    durationMs: above0("seconds", 1.5) * 1_000,
    only: option("only"),
    isAll: words.includes("--all"),
    isAnyNoise: words.includes("--any-noise"),
    jsonFile: option("json"),
  };
}
