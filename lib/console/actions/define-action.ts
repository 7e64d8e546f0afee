import "server-only";
import { unstable_rethrow } from "next/navigation";
import * as z from "zod/mini";
import { checkOrigin } from "../gateway/check-origin";
import { parseInput } from "../gateway/parse-input";
import { type ActionReply, type GatewayReply, signedOut } from "../gateway/problem";
import { reportUnexpected } from "../gateway/report-unexpected";
import type { ConsoleSession } from "../sign-in/seal-session";
import { currentSession } from "../sign-in/session";

// Safe for the browser: no imports.

/** The data of a form that creates something. */
export interface Creation<Draft> {
  readonly draft: Draft;
  /** Made when the form opened, so that the same form sent twice creates once. */
  readonly idempotencyKey: string;
}

type Outcome<Data> = GatewayReply<Data> | { readonly ok: true; readonly data: Data };

/**
 * A server action for the console's own pages and signed-in people, with input that matches the schema. `run` returns
 * the gateway's reply, or `{ok: true, data}`; errors that it throws are logged and not shown.
 */
export function defineAction<Schema extends z.ZodMiniType, Data>(
  schema: Schema,
  run: (input: z.output<Schema>, session: ConsoleSession) => Promise<Outcome<Data>>,
): (input: z.input<Schema>) => Promise<ActionReply<Data>> {
  return (input) =>
    runGuarded(async () => {
      const session = await currentSession();
      if (!session) return { ok: false, problem: signedOut };
      return runParsed(schema, input, (value) => run(value, session));
    });
}

/** The same for an action that creates something: `headers` contain the idempotency key of its form. */
export function defineCreateAction<Schema extends z.ZodMiniType, Data>(
  schema: Schema,
  run: (draft: z.output<Schema>, headers: Readonly<Record<string, string>>) => Promise<Outcome<Data>>,
): (creation: Creation<z.input<Schema>>) => Promise<ActionReply<Data>> {
  const creation = z.strictObject({
    draft: z.unknown(),
    idempotencyKey: z.string().check(z.regex(/^[\w-]{16,64}$/)),
  });
  const create = defineAction(creation, ({ draft, idempotencyKey }) =>
    runParsed(schema, draft, (value) => run(value, { "idempotency-key": idempotencyKey })),
  );
  return (input) => create(input);
}

/** The same for people who are not signed in: the sign-in screen's actions. */
export function definePublicAction<Schema extends z.ZodMiniType, Data>(
  schema: Schema,
  run: (input: z.output<Schema>) => Promise<Outcome<Data>>,
): (input: z.input<Schema>) => Promise<ActionReply<Data>> {
  return (input) => runGuarded(() => runParsed(schema, input, run));
}

async function runGuarded<Data>(run: () => Promise<Outcome<Data>>): Promise<ActionReply<Data>> {
  try {
    const refusal = await checkOrigin();
    const outcome: Outcome<Data> = refusal ? { ok: false, problem: refusal } : await run();
    return outcome.ok ? { ok: true, data: outcome.data } : { ok: false, ...outcome.problem };
  } catch (error) {
    unstable_rethrow(error);
    return { ok: false, ...reportUnexpected(error) };
  }
}

async function runParsed<Schema extends z.ZodMiniType, Data>(
  schema: Schema,
  input: unknown,
  run: (input: z.output<Schema>) => Promise<Outcome<Data>>,
): Promise<Outcome<Data>> {
  const result = parseInput(schema, input);
  return result.ok ? run(result.data) : result;
}
