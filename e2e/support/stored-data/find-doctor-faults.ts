import { examine } from "@/lib/gateway/doctor/examine";
import type { ServedGateway } from "../gateways/serve-gateway";

/** Returns the faults that doctor finds in a gateway's store, as text. */
export function findDoctorFaults({ databasePath, runtime }: ServedGateway): string[] {
  return examine(databasePath, runtime.clock.nowMs()).flatMap(({ faults }) => faults);
}
