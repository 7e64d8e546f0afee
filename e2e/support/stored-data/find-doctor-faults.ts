import { isOnPostgres } from "@/lib/gateway/database/testing/open-temporary-database";
import { examine } from "@/lib/gateway/doctor/examine";
import type { ServedGateway } from "../gateways/serve-gateway";

/** Returns the faults that doctor finds in a gateway's store, as text. It reads the embedded database only. */
export function findDoctorFaults({ databasePath, runtime }: ServedGateway): string[] {
  if (isOnPostgres) return [];
  return examine(databasePath, runtime.clock.nowMs()).flatMap(({ faults }) => faults);
}
