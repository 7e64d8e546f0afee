"use server";

import { cancelRunOfSession } from "@/lib/console/streaming-action";

/** Ends a streaming action's run of the same session. */
export async function cancelRun(runId: string): Promise<void> {
  await cancelRunOfSession(runId);
}
