import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Writes a configuration file of a test's own.
 * @returns its path, for `GATEHOUSE_CONFIG`.
 */
export function writeConfiguration(yaml: string): string {
  const path = join(mkdtempSync(join(tmpdir(), "gatehouse-configuration-")), "gatehouse.yaml");
  writeFileSync(path, yaml);
  return path;
}
