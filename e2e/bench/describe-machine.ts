import { cpus } from "node:os";
import { compileLoad } from "./compile-load";
import { measureFdatasync } from "./measure-fdatasync";

export interface Machine {
  readonly processors: string;
  readonly bun: string;
  /** What the peer runs under. */
  readonly node: string | null;
  /** Whether the load is compiled; else it is a Bun program, and takes as much of the processors as a proxy. */
  readonly hasCompiledLoad: boolean;
  /** What a charge waits for at least. */
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
