type ProgramResult = { exitCode: number; output: string };

/**
 * Runs a program without a terminal; `output` is standard output followed by standard error, without colors. The
 * output of a killed program says so.
 */
export async function runProgram(
  command: string[],
  env: Record<string, string | undefined> = process.env,
  /** Called with each line as it comes. */
  onLine: (line: string) => void = () => {},
): Promise<ProgramResult> {
  const child = Bun.spawn(command, {
    env,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([
    readLines(child.stdout, onLine),
    readLines(child.stderr, onLine),
  ]);
  const exitCode = await child.exited;
  const verdict = child.signalCode ? `\n${command[0]} was ended by ${child.signalCode}.` : "";
  return { exitCode, output: Bun.stripANSI(stdout + stderr) + verdict };
}

async function readLines(
  stream: ReadableStream<Uint8Array>,
  onLine: (line: string) => void,
): Promise<string> {
  let text = "";
  let lineStart = 0;
  const decoder = new TextDecoder();
  for await (const piece of stream) {
    text += decoder.decode(piece, { stream: true });
    for (let end = text.indexOf("\n", lineStart); end >= 0; end = text.indexOf("\n", lineStart)) {
      onLine(text.slice(lineStart, end));
      lineStart = end + 1;
    }
  }
  return text;
}

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const FRAME_MS = 100;

/**
 * Shows a step while it runs and its time when it is done: in place with a spinner on a terminal, otherwise
 * as one line at the start and one at the end.
 */
export async function showStep<T>(doing: string, done: string, work: () => Promise<T>): Promise<T> {
  const startMs = performance.now();
  const formatElapsed = () => `${((performance.now() - startMs) / 1000).toFixed(1)} s`;
  const spinner = process.stdout.isTTY ? spin(doing, formatElapsed) : null;
  if (!spinner) console.log(`${doing}…`);
  try {
    const result = await work();
    spinner?.stop();
    console.log(`✓ ${done}  ${formatElapsed()}`);
    return result;
  } catch (error) {
    spinner?.stop();
    throw error;
  }
}

function spin(doing: string, formatElapsed: () => string): { stop: () => void } {
  let frame = 0;
  const draw = () =>
    process.stdout.write(`\r\x1b[2K${FRAMES[frame++ % FRAMES.length]} ${doing}…  ${formatElapsed()}`);
  draw();
  const timer = setInterval(draw, FRAME_MS);
  return {
    stop() {
      clearInterval(timer);
      process.stdout.write("\r\x1b[2K");
    },
  };
}
