import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const TIMES = 200;

/** The median time in microseconds to write 4 KiB to disk, which is the least that a charge waits for. */
export function measureFdatasync(): number {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-bench-disk-"));
  const file = openSync(join(folder, "blocks"), "w");
  const block = Buffer.alloc(4096, 1);
  const times = Array.from({ length: TIMES }, () => {
    const startedAt = performance.now();
    writeSync(file, block);
    fdatasyncSync(file);
    return (performance.now() - startedAt) * 1_000;
  });
  closeSync(file);
  rmSync(folder, { recursive: true });
  return times.toSorted((one, other) => one - other)[TIMES / 2] ?? Number.NaN;
}
