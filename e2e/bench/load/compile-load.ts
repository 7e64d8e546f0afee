import { existsSync, renameSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const COMPILERS = ["cc", "gcc", "clang"];
const folder = import.meta.dir;
const sources = ["load.c", "load-reply.h"];

/** The C compiler; null where there is none, or on other systems than Linux, for which the load is written. */
function findCompiler(): string | null {
  if (process.platform !== "linux") return null;
  return COMPILERS.map((name) => Bun.which(name)).find((found) => found !== null) ?? null;
}

/** The path of the program compiled from `load.c`, which is cached per version; null where it can't be compiled. */
export async function compileLoad(): Promise<string | null> {
  const compiler = findCompiler();
  if (compiler === null) return null;
  const hash = new Bun.CryptoHasher("sha256");
  for (const name of sources) hash.update(await Bun.file(join(folder, name)).bytes());
  const program = join(tmpdir(), `gatehouse-load-${hash.digest("hex").slice(0, 16)}`);
  if (existsSync(program)) return program;
  const fresh = `${program}.${process.pid}`;
  const compiled = Bun.spawnSync([compiler, "-O2", "-o", fresh, join(folder, "load.c")]);
  if (!compiled.success) return null;
  renameSync(fresh, program);
  return program;
}
