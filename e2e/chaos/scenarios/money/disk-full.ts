import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sufferOutage } from "../../outage";
import type { Scenario } from "../../scenario";
import { startFaultStage } from "../../start-stage";

const CONNECTIONS = 8;
const DISK_MEGABYTES = 16;

/** Works on any disk: the kernel refuses all of the gateway's writes to files. */
export const fileSizeLimit: Scenario = {
  name: "file-size-limit",
  does: "{size} calls while the kernel refuses every write of the gateway's",
  full: 400,
  smoke: 40,
  async run(order) {
    const stage = await startFaultStage({ keyCount: CONNECTIONS });
    const limit = (bytes: string) =>
      execFileSync("prlimit", ["--pid", String(stage.gateway.pid()), `--fsize=${bytes}:unlimited`]);
    try {
      return await sufferOutage(stage, order, {
        begin: () => void limit("0"),
        end: () => void limit("unlimited"),
      });
    } finally {
      await stage.stop();
    }
  },
};

/**
 * Fills a separate disk to the last byte. Only root can mount one; without root, this says so and passes.
 */
export const diskFull: Scenario = {
  name: "disk-full",
  does: "{size} calls while the gateway's disk is full",
  full: 2_000,
  // Enough calls for a checkpoint of the write-ahead log while the disk is full.
  smoke: 2_000,
  async run(order) {
    const disk = mountDisk(DISK_MEGABYTES);
    if (disk === null) return { faults: [], figures: { skipped: "no disk can be mounted by this user" } };
    try {
      const stage = await startFaultStage({
        keyCount: CONNECTIONS,
        env: { GATEHOUSE_DATA: join(disk, "data") },
      });
      const filler = join(disk, "filler");
      try {
        return await sufferOutage(stage, order, {
          begin: () => fill(disk, filler),
          end: () => rmSync(filler),
        });
      } finally {
        await stage.stop();
      }
    } finally {
      unmountDisk(disk);
    }
  },
};

/** A disk of this size; null for a user who can't mount one. */
export function mountDisk(megabytes: number): string | null {
  const disk = mkdtempSync(join(tmpdir(), "gatehouse-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", disk], {
      stdio: "ignore",
    });
    return disk;
  } catch {
    rmSync(disk, { recursive: true });
    return null;
  }
}

export function unmountDisk(disk: string): void {
  execFileSync("umount", [disk]);
  rmSync(disk, { recursive: true });
}

/** Fills a disk to the last byte. */
export function fill(disk: string, filler: string): void {
  const { bavail, bsize } = statfsSync(disk);
  try {
    writeFileSync(filler, Buffer.alloc(bavail * bsize));
  } catch (error) {
    // The gateway took some of the room meanwhile: what was written has filled the disk.
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  }
}
