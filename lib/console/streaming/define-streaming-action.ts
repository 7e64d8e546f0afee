import "server-only";
import { unstable_rethrow } from "next/navigation";
import * as z from "zod/mini";
import { checkOrigin } from "../gateway/check-origin";
import { gatewayConnection } from "../gateway/gateway-client";
import type { Connection } from "../gateway/gateway-request";
import { parseInput } from "../gateway/parse-input";
import { createProblem, type GatewayReply, type Problem, signedOut } from "../gateway/problem";
import { reportUnexpected } from "../gateway/report-unexpected";
import { currentSession, nameSession } from "../sign-in/session";
import { processStreams } from "./running-streams";
import { streamEvents } from "./stream-events";

/** The last event of a stream that failed. */
export interface ProblemEvent {
  readonly type: "problem";
  readonly problem: Problem;
}

const invalidId = createProblem("invalid", "Every stream needs an id of its own.");

const foreignStream = createProblem(
  "refused",
  "It was started before you signed in again, so it can’t be stopped from here. Look for it in the requests.",
);

const streamId = z.string().check(z.regex(/^[\w-]{8,64}$/));

/**
 * A server action that answers with a stream of small events. `cancelStream` with the browser's `streamId` ends it,
 * since a reader's own `cancel()` never reaches the server. The stream never throws; its last event may be a problem.
 * `open` is called when the first event is read, so that a slow start doesn't delay the reply.
 */
export function defineStreamingAction<Schema extends z.ZodMiniType, Event>(
  schema: Schema,
  open: (input: z.output<Schema>, connection: Connection, signal: AbortSignal) => AsyncIterable<Event>,
): (id: string, input: z.input<Schema>) => Promise<ReadableStream<Event | ProblemEvent>> {
  return async (id, input) => {
    try {
      return await begin(id, parseInput(schema, input), open);
    } catch (error) {
      unstable_rethrow(error);
      return problemStream(reportUnexpected(error));
    }
  };
}

async function begin<Input, Event>(
  id: unknown,
  result: GatewayReply<Input>,
  open: (input: Input, connection: Connection, signal: AbortSignal) => AsyncIterable<Event>,
): Promise<ReadableStream<Event | ProblemEvent>> {
  const foreign = await checkOrigin();
  if (foreign) return problemStream(foreign);
  const session = await currentSession();
  const connection = await gatewayConnection();
  if (!session || !connection) return problemStream(signedOut);
  if (!result.ok) return problemStream(result.problem);
  const parsedId = streamId.safeParse(id);
  const stream = parsedId.success ? processStreams().begin(nameSession(session), parsedId.data) : null;
  if (!stream) return problemStream(invalidId);
  return streamEvents(stream, () => open(result.data, connection, stream.signal), reportUnexpected);
}

/**
 * Ends a stream of the same session. The gateway then stops a call that it doesn't keep.
 * @returns why it can't; null if the stream has ended, or will as it begins.
 */
export async function cancelSessionStream(id: string): Promise<Problem | null> {
  const foreign = await checkOrigin();
  if (foreign) return foreign;
  const session = await currentSession();
  if (!session) return signedOut;
  const parsedId = streamId.safeParse(id);
  if (!parsedId.success) return invalidId;
  return processStreams().cancel(nameSession(session), parsedId.data) ? null : foreignStream;
}

function problemStream(problem: Problem): ReadableStream<ProblemEvent> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue({ type: "problem", problem });
      controller.close();
    },
  });
}
