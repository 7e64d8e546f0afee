"use server";

import type { Problem } from "@/lib/console/gateway/problem";
import { cancelSessionStream } from "@/lib/console/streaming/define-streaming-action";

/**
 * Stops a stream that the same session started.
 * @returns why it can't; null if it has stopped.
 */
export async function cancelStream(streamId: string): Promise<Problem | null> {
  return cancelSessionStream(streamId);
}
