type Selection = {
  /** The test files of each runner. */
  units: string[];
  api: string[];
  browser: string[];
  /** Words that match no test. */
  unknown: string[];
};

const RUNNERS = {
  units: /^(lib|app|components|e2e\/bench|e2e\/support)\/.*\.test\.tsx?$/,
  api: /^e2e\/api\/.*\.test\.ts$/,
  browser: /^e2e\/browser\/.*\.spec\.ts$/,
};
type Runner = keyof typeof RUNNERS;

/**
 * The tests among `files` that match the words; all without a word. A word is a runner (`api`), a file's name
 * (`members`), its path, or a folder.
 */
export function selectTests(files: string[], words: string[]): Selection {
  const runnerNames = Object.keys(RUNNERS) as Runner[];
  const goesBy = (runner: Runner, file: string) =>
    words.length === 0 || words.some((word) => word === runner || namesFile(word, file));
  const select = (runner: Runner) =>
    files.filter((file) => RUNNERS[runner].test(file) && goesBy(runner, file));
  const tests = files.filter((file) => runnerNames.some((runner) => RUNNERS[runner].test(file)));
  const isKnown = (word: string) =>
    runnerNames.some((runner) => runner === word) || tests.some((file) => namesFile(word, file));
  return {
    units: select("units"),
    api: select("api"),
    browser: select("browser"),
    unknown: words.filter((word) => !isKnown(word)),
  };
}

function namesFile(word: string, file: string): boolean {
  const path = word.replace(/^\.\//, "").replace(/\/$/, "");
  const bare = file.replace(/\.(test|spec)\.tsx?$/, "");
  return (
    [file, bare, bare.split("/").at(-1), file.split("/").at(-1)].includes(path) || file.startsWith(`${path}/`)
  );
}
