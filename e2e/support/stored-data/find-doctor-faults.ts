import { examine, examineOutputs } from "@/lib/gateway/doctor/examine-outputs";
import { examinePostgres } from "@/lib/gateway/doctor/postgres/examine-postgres";
import type { OutputsDraft } from "@/lib/gateway/files/bucket/bucket";
import type { ServedGateway } from "../gateways/serve-gateway";
import { findDatabaseUrl } from "../gateways/served-database";

type Examined = Pick<ServedGateway, "dataFolder" | "databasePath" | "runtime">;

/** A PostgreSQL of tests doesn't wait for the disk. */
const OF_TESTS = /(fsync|full_page_writes) is off/;

/** Returns the faults that doctor finds in what a gateway has stored, as text. */
export async function findDoctorFaults({ dataFolder, databasePath, runtime }: Examined): Promise<string[]> {
  const nowMs = runtime.clock.nowMs();
  const url = findDatabaseUrl(dataFolder);
  const findings = url === null ? examine(databasePath, nowMs) : await examinePostgres(url, { nowMs });
  return findings.flatMap(({ faults }) => faults).filter((fault) => !OF_TESTS.test(fault));
}

/** Those of the files that it has stored in this bucket. */
export async function findOutputFaults(
  { dataFolder, databasePath, runtime }: Examined,
  outputs: OutputsDraft,
): Promise<readonly string[]> {
  const url = findDatabaseUrl(dataFolder);
  if (url === null) return (await examineOutputs(databasePath, outputs)).faults;
  let found: readonly string[] = [];
  await examinePostgres(url, {
    nowMs: runtime.clock.nowMs(),
    async examineFiles(copy) {
      const finding = await examineOutputs(copy, outputs, dataFolder);
      found = finding.faults;
      return [finding];
    },
  });
  return found;
}
