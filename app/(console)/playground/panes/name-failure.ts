import type { CallState } from "@/components/playground/messages/message";

/** Returns null for a call without a problem. Where no check refused it, its provider failed, or nothing answered. */
export function nameFailure(call: Pick<CallState, "state" | "problem"> | undefined): string | null {
  if (call?.state === "broken") return "Broken off";
  if (call?.state !== "refused") return null;
  return call.problem?.code === "failed" || call.problem?.code === "unreachable" ? "Failed" : "Refused";
}
