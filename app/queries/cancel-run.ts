"use server";

import { cancelSessionRun } from "@/lib/console/streaming/define-streaming-action";

/** Stops a run of a streaming action that the same session started. */
export async function cancelRun(runId: string): Promise<void> {
  await cancelSessionRun(runId);
}
