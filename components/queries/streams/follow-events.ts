import { asPagePerson } from "@/components/queries/reads/as-page-person";
import { describeConsoleFailure } from "@/components/queries/reads/describe-console-failure";
import { leaveForSignIn } from "@/components/session/leave-for-sign-in";
import type { ProblemEvent } from "@/lib/console/streaming/define-streaming-action";

/** A page that is being left is gone within this time after its connections close. */
const LEAVING_MS = 1_000;

/**
 * Passes on the events of a stream until it ends; a connection that can't be made or is lost is the last event. Never
 * rejects.
 */
export async function followEvents<Event extends { type: string }>(
  open: () => Promise<ReadableStream<Event>>,
  onEvent: (event: Event | ProblemEvent) => void,
): Promise<void> {
  const tell = (event: Event | ProblemEvent) => {
    try {
      onEvent(event);
    } catch (error) {
      // A fault of the screen, not of the connection: the stream goes on.
      reportError(error);
    }
  };
  try {
    const reader = (await asPagePerson(open)).getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      tell(next.value);
      if (isOver(next.value)) leaveForSignIn();
    }
  } catch (error) {
    // A page that is left loses its connections, too. It is gone before this pause ends, and so it doesn't store its
    // answers as broken off.
    await new Promise((resolve) => setTimeout(resolve, LEAVING_MS));
    tell({ type: "problem", problem: describeConsoleFailure(error, "call") });
  }
}

function isOver(event: unknown): boolean {
  return (event as Partial<ProblemEvent>).problem?.code === "unauthenticated";
}
