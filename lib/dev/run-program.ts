export type ProgramResult = { exitCode: number; output: string };

/** Runs a program to its end without a terminal; `output` is standard output followed by standard error. */
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
  return { exitCode: await child.exited, output: stdout + stderr };
}
