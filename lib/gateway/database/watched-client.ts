import pg from "pg";

/** How often the statements in progress are looked at, those that are as old at least. */
const LOOK_MS = 500;
/** Within this time PostgreSQL accepts another connection, and says which statements it works at. */
const PROBE_MS = 1_250;
/** A timer as late as this was held up by its own process, for example one that was paused. */
const HELD_UP_MS = 250;
/** A reply may be on its way while PostgreSQL has ended the statement; not for as many looks. */
const MISSES = 2;

interface Statement {
  readonly client: pg.Client;
  readonly sinceMs: number;
  misses: number;
}

/**
 * A client whose connection is closed if it is dead without having ended, as after a partition: PostgreSQL can't be
 * reached, or works at no statement of it. So the statement fails in two seconds, and one that takes long goes on.
 */
export function watchedClient(connectionString: string): typeof pg.Client {
  const watch = new StatementWatch(connectionString);
  return class extends pg.Client {
    override query(...parameters: unknown[]): never {
      const end = watch.begin(this);
      const last = parameters.at(-1);
      if (typeof last === "function")
        parameters[parameters.length - 1] = (...answer: unknown[]) => {
          end();
          last(...answer);
        };
      const sent: unknown = super.query(...(parameters as Parameters<pg.Client["query"]>));
      if (sent instanceof Promise) return sent.finally(end) as never;
      if (typeof last !== "function") end();
      return sent as never;
    }

    override end(...parameters: unknown[]): never {
      destroyLater(this);
      return super.end(...(parameters as [])) as never;
    }
  } as typeof pg.Client;
}

class StatementWatch {
  readonly #running = new Set<Statement>();
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(private readonly connectionString: string) {}

  /** @returns a function to call when the statement has ended. */
  begin(client: pg.Client): () => void {
    const statement = { client, sinceMs: performance.now(), misses: 0 };
    this.#running.add(statement);
    this.#lookLater();
    return () => void this.#running.delete(statement);
  }

  #lookLater(): void {
    if (this.#timer) return;
    this.#timer = setTimeout(async () => {
      await this.#look();
      this.#timer = null;
      if (this.#running.size > 0) this.#lookLater();
    }, LOOK_MS).unref();
  }

  async #look(): Promise<void> {
    const oldest = performance.now() - LOOK_MS;
    const old = [...this.#running].filter(({ sinceMs }) => sinceMs <= oldest);
    if (old.length === 0) return;
    const active = await this.#listActive();
    for (const statement of old) {
      if (!this.#running.has(statement)) continue;
      const isActive = active === "unknown" || (active !== "none" && active.has(processOf(statement.client)));
      statement.misses = isActive ? 0 : statement.misses + 1;
      if (active === "none" || statement.misses >= MISSES) destroy(statement.client);
    }
  }

  /** The server's processes that work at a statement; none if it can't be reached. */
  async #listActive(): Promise<ReadonlySet<number> | "none" | "unknown"> {
    const { connectionString } = this;
    const client = new pg.Client({ connectionString, application_name: "gatehouse watch" });
    client.on("error", () => {});
    const dueMs = performance.now() + PROBE_MS;
    let isHeldUp = false;
    const late = setTimeout(() => {
      isHeldUp = performance.now() > dueMs + HELD_UP_MS;
      destroy(client);
    }, PROBE_MS);
    try {
      await client.connect();
      const { rows } = await client.query<{ pid: number }>(
        "SELECT pid FROM pg_stat_activity WHERE state IN ('active', 'fastpath function call')",
      );
      return new Set(rows.map(({ pid }) => pid));
    } catch (error) {
      // It answers, for example that it has too many connections.
      return isHeldUp || error instanceof pg.DatabaseError ? "unknown" : "none";
    } finally {
      clearTimeout(late);
      destroy(client);
    }
  }
}

function processOf(client: pg.Client): number {
  return (client as unknown as { processID: number }).processID;
}

/** Says goodbye on a connection, which may not answer. */
export async function disconnect(client: pg.Client): Promise<void> {
  destroyLater(client);
  await client.end().catch(() => {});
}

function destroyLater(client: pg.Client): void {
  const late = setTimeout(() => destroy(client), PROBE_MS).unref();
  client.once("end", () => clearTimeout(late));
}

/** Closes a connection that may not answer. */
export function destroy(client: pg.Client): void {
  const { stream } = (client as unknown as { connection: { stream: { destroy(): void } } }).connection;
  stream.destroy();
}
