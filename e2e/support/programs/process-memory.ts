import { readFileSync } from "node:fs";

/** Resident memory of a process in megabytes; 0 where the system doesn't report it. */
export const residentMegabytes = (pid: number) => readMegabytes(pid, "VmRSS");

/** Peak resident memory of a process in megabytes; 0 where the system doesn't report it. */
export const readPeakMegabytes = (pid: number) => readMegabytes(pid, "VmHWM");

function readMegabytes(pid: number, name: "VmRSS" | "VmHWM"): number {
  if (process.platform !== "linux") return 0;
  const [, kilobytes = "0"] =
    new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Math.round(Number(kilobytes) / 1024);
}
