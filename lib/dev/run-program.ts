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
