import { cpus } from "node:os";
import { compileLoad } from "../load/compile-load";
import { measureFdatasync } from "../measure-fdatasync";

interface Machine {
  readonly processors: string;
  readonly bun: string;
  /** The version of Node, which runs the peer. */
  readonly node: string | null;
  /** Whether the load is compiled. Otherwise it is a Bun program, which takes as much processor time as a proxy. */
  readonly hasCompiledLoad: boolean;
  /** The least time that a charge waits for the disk. */
  readonly fdatasyncUs: number;
}

export async function describeMachine(): Promise<Machine> {
  return {
    processors: `${cpus().length} × ${cpus()[0]?.model ?? "unknown"}`,
    bun: Bun.version,
    node: Bun.which("node") ? Bun.spawnSync(["node", "--version"]).stdout.toString().trim() : null,
    hasCompiledLoad: (await compileLoad()) !== null,
    fdatasyncUs: Math.round(measureFdatasync()),
  };
}
