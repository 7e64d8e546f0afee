import { cpus } from "node:os";
import { measureFdatasync } from "./measure-fdatasync";

export interface Machine {
  readonly processors: string;
  readonly bun: string;
  /** What the peer runs under. */
  readonly node: string | null;
  /** What a charge waits for at least. */
  readonly fdatasyncUs: number;
}

export function describeMachine(): Machine {
  return {
    processors: `${cpus().length} × ${cpus()[0]?.model ?? "unknown"}`,
    bun: Bun.version,
    node: Bun.which("node") ? Bun.spawnSync(["node", "--version"]).stdout.toString().trim() : null,
    fdatasyncUs: Math.round(measureFdatasync()),
  };
}
