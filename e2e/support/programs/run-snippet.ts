import { spawn } from "node:child_process";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";

const root = resolve(import.meta.dirname, "../../..");

/**
 * Runs a program as a person does who has copied it: unchanged, with the key in its environment variable. `id` is the
 * snippet's: `curl`, `python`, or else TypeScript.
 * @returns what it prints.
 * @throws with its errors, where it fails.
 */
export async function runSnippet(id: string, code: string, key: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-snippet-"));
  try {
    await symlink(join(root, "node_modules"), join(folder, "node_modules"));
    const file = join(folder, id === "curl" ? "call.sh" : id === "python" ? "call.py" : "call.ts");
    await writeFile(file, code);
    const [program = "", ...words] = await findCommand(id, file);
    const libraries: Record<string, string> = id === "python" ? { PYTHONPATH: await pythonLibraries() } : {};
    return await readOutput(program, words, folder, { GATEHOUSE_API_KEY: key, ...libraries });
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function findCommand(id: string, file: string): Promise<string[]> {
  if (id === "curl") return ["sh", file];
  if (id === "python") return ["python3", file];
  return [join(root, "node_modules/.bin/bun"), file];
}

/** OpenAI's library for Python where it is installed, else a stand-in that makes the same requests. */
async function pythonLibraries(): Promise<string> {
  const given = process.env.PYTHONPATH ?? "";
  const isInstalled = await readOutput("python3", ["-c", "import openai"], root, {}).then(
    () => true,
    () => false,
  );
  return isInstalled ? given : join(import.meta.dirname, "python");
}

async function readOutput(program: string, words: string[], cwd: string, env: Record<string, string>) {
  const running = spawn(program, words, { cwd, env: { ...process.env, ...env } });
  const ended = new Promise<number | null>((done, fail) => running.once("close", done).once("error", fail));
  const [output, faults, code] = await Promise.all([text(running.stdout), text(running.stderr), ended]);
  if (code !== 0) throw new Error(`${program} ended with ${code}:\n${faults}\n${output}`);
  return output;
}
