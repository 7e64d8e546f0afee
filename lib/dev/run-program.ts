type ProgramResult = { exitCode: number; output: string };

/**
 * Runs a program without a terminal; `output` is standard output followed by standard error, without colors. The
 * output of a killed program says so.
 */
export async function runProgram(
  command: string[],
  env: Record<string, string | undefined> = process.env,
): Promise<ProgramResult> {
  const child = Bun.spawn(command, {
    env,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  const exitCode = await child.exited;
  const verdict = child.signalCode ? `\n${command[0]} was ended by ${child.signalCode}.` : "";
  return { exitCode, output: Bun.stripANSI(stdout + stderr) + verdict };
}
