/** On a terminal the line is drawn anew this often; otherwise a line is added this often. */
const DRAW_MS = 250;
const PRINT_MS = 60_000;
const CLEAR_LINE = "\r\x1b[2K";

const ENDED = /^\((pass|fail|skip|todo)\) /;
/** Playwright's: the number of the test that begins, and of all. */
const NUMBERED = /\[(\d+)\/(\d+)\]/;

interface Progress extends Disposable {
  /** Takes a line that a runner of tests printed. */
  note(line: string): void;
}

/**
 * Shows how far a runner of tests is, until it is disposed: "api: 1,203 tests, 2 failed, 120 s". A failed test is named
 * at once; why it failed stands in what the runner prints at its end.
 */
export function showProgress(name: string, isTerminal = process.stdout.isTTY): Progress {
  const startMs = performance.now();
  let ended = 0;
  let failed = 0;
  let all = "";
  const describe = () => {
    const failures = failed > 0 ? `, ${failed} failed` : "";
    const seconds = ((performance.now() - startMs) / 1000).toFixed(0);
    return `${name}: ${ended.toLocaleString("en")}${all} tests${failures}, ${seconds} s`;
  };
  const timer = setInterval(
    () => (isTerminal ? process.stdout.write(`${CLEAR_LINE}${describe()}`) : console.log(describe())),
    isTerminal ? DRAW_MS : PRINT_MS,
  );
  return {
    note(line) {
      const [, outcome] = ENDED.exec(line) ?? [];
      const [, number, count] = NUMBERED.exec(line) ?? [];
      if (outcome) ended++;
      if (outcome === "fail") {
        failed++;
        console.log(`${isTerminal ? CLEAR_LINE : ""}${line.replace("(fail)", "failed:")}`);
      }
      if (!number || !count) return;
      ended = Number(number);
      all = ` of ${Number(count).toLocaleString("en")}`;
    },
    [Symbol.dispose]() {
      clearInterval(timer);
      if (isTerminal) process.stdout.write(CLEAR_LINE);
    },
  };
}
