import { readFileSync } from "node:fs";

/** Resident memory of a process now, in megabytes; 0 where the system does not say. */
export const residentMegabytes = (pid: number) => megabytesOf(pid, "VmRSS");

/** The most it has had. */
export const peakMegabytes = (pid: number) => megabytesOf(pid, "VmHWM");

function megabytesOf(pid: number, name: "VmRSS" | "VmHWM"): number {
  if (process.platform !== "linux") return 0;
  const [, kilobytes = "0"] =
    new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Math.round(Number(kilobytes) / 1024);
}
