import "server-only";
import { unstable_rethrow } from "next/navigation";
import * as z from "zod/mini";
import { foreignOrigin, signedOut, unexpected } from "../actions/action";
import { parseInput } from "../actions/parse-input";
import { gatewayConnection } from "../gateway/gateway-client";
import { type Problem, plainProblem } from "../gateway/problem";
import type { Connection } from "../gateway/send-request";
import { currentSession, ownerOf } from "../sign-in/session";
import { runsOfProcess } from "./runs";
import { streamEvents } from "./stream-events";

/** The last event of a stream that failed. */
export interface ProblemEvent {
  readonly type: "problem";
  readonly problem: Problem;
}

const runId = z.string().check(z.regex(/^[\w-]{8,64}$/));

/**
 * A server action that answers with a stream of small events. `cancelRun` with the browser's `runId` ends the run, since
 * a reader's own `cancel()` never reaches the server. The stream never throws; its last event may be a problem. `open` is
 * called when the first event is read, so that a slow start doesn't delay the reply.
 */
export function streamingAction<Schema extends z.ZodMiniType, Event>(
  schema: Schema,
  open: (input: z.output<Schema>, connection: Connection, signal: AbortSignal) => AsyncIterable<Event>,
): (id: string, input: z.input<Schema>) => Promise<ReadableStream<Event | ProblemEvent>> {
  return async (id, input) => {
    try {
      return await begin(id, parseInput(schema, input), open);
    } catch (error) {
      unstable_rethrow(error);
      return problemStream(unexpected(error));
    }
  };
}

async function begin<Input, Event>(
  id: unknown,
  parsed: ReturnType<typeof parseInput<z.ZodMiniType<Input>>>,
  open: (input: Input, connection: Connection, signal: AbortSignal) => AsyncIterable<Event>,
): Promise<ReadableStream<Event | ProblemEvent>> {
  const foreign = await foreignOrigin();
  if (foreign) return problemStream(foreign);
  const session = await currentSession();
  const connection = await gatewayConnection();
  if (!session || !connection) return problemStream(signedOut);
  if (!parsed.ok) return problemStream(parsed.problem);
  const named = runId.safeParse(id);
  const run = named.success ? runsOfProcess().begin(ownerOf(session), named.data) : null;
  if (!run) return problemStream(plainProblem("invalid", "Every run needs an id of its own."));
  return streamEvents(run, () => open(parsed.data, connection, run.signal), unexpected);
}

/** Ends a run of the same session; the gateway then stops the provider's call. */
export async function cancelRunOfSession(id: string): Promise<void> {
  const named = runId.safeParse(id);
  const session = await currentSession();
  if (!named.success || !session || (await foreignOrigin())) return;
  runsOfProcess().cancel(ownerOf(session), named.data);
}

function problemStream(problem: Problem): ReadableStream<ProblemEvent> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue({ type: "problem", problem });
      controller.close();
    },
  });
}
