import { readdirSync, readFileSync } from "node:fs";

type Memory = {
  /** Gateway and console, each with its workers, MB of proportional set size. */
  programsMb: number;
  /** All descendants of the started command, including launcher and npm. */
  allMb: number;
};

/** The memory of a running start, from the kernel's accounting; shared pages count once. Linux only. */
export function measureMemory(pid: number): Memory {
  const processes = descendants(pid);
  const gateway = processes.find(({ command }) => command.includes("lib/gateway/main.ts"));
  const next = processes.find(({ command }) => /next-server|next start/.test(command));
  if (!gateway || !next) throw new Error("Gateway and console are not among the processes of this start.");
  const programs = [gateway, next].flatMap((program) => [program, ...descendants(program.pid)]);
  return { programsMb: sum(programs), allMb: sum([{ pid, command: "" }, ...processes]) };
}

type Process = { pid: number; command: string };

function descendants(pid: number): Process[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((task) => {
    const children = readFileSync(`/proc/${pid}/task/${task}/children`, "utf8");
    return children
      .split(" ")
      .filter(Boolean)
      .map(Number)
      .flatMap((child) => [{ pid: child, command: readCommand(child) }, ...descendants(child)]);
  });
}

function readCommand(pid: number): string {
  return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
}

function sum(processes: Process[]): number {
  const kilobytes = processes.map(({ pid }) => {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
    return Number(/^Pss: +(\d+) kB/m.exec(rollup)?.[1] ?? 0);
  });
  return kilobytes.reduce((total, size) => total + size, 0) / 1024;
}
