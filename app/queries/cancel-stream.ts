"use server";

import { cancelSessionStream } from "@/lib/console/streaming/define-streaming-action";

/** Stops a stream that the same session started. */
export async function cancelStream(streamId: string): Promise<void> {
  await cancelSessionStream(streamId);
}
