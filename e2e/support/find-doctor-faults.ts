import { examine } from "@/lib/gateway/doctor/examine";
import type { ServedGateway } from "./serve-gateway";

/** The faults that doctor finds in a gateway's store, in words. */
export function findDoctorFaults({ databasePath, effects }: ServedGateway): string[] {
  return examine(databasePath, effects.clock.nowMs()).flatMap(({ faults }) => faults);
}
