import pg from "pg";
import { destroy, disconnect } from "../database/watched-client";
import { CHANGE_CHANNEL } from "./transactions.sql";

const CONNECT_MS = 2_000;
const RECONNECT_MS = 250;
/** How often the connection, silent otherwise, is asked for an answer. It is dead if there is none by the next time. */
const BEAT_MS = 2_000;

/** Hears of the changes that any process has committed, on a connection of its own, which it opens again and again. */
export class PostgresListener {
  #client: pg.Client | null = null;
  #isHearing = false;
  #isClosed = false;
  #retry: ReturnType<typeof setTimeout> | null = null;

  constructor(
    private readonly url: string,
    /** Called for each change, and when it hears again: something may have been missed meanwhile. */
    private readonly onChange: () => void,
  ) {
    void this.#connect();
  }

  /** False while the connection is broken: then changes must be asked for. */
  get isHearing(): boolean {
    return this.#isHearing;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#isHearing = false;
    if (this.#retry) clearTimeout(this.#retry);
    if (this.#client) await disconnect(this.#client);
  }

  async #connect(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.url,
      application_name: "gatehouse feed",
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
    });
    this.#client = client;
    let isOver = false;
    let isAnswered = true;
    const beat = setInterval(() => {
      if (!isAnswered) return destroy(client);
      isAnswered = false;
      client.query("SELECT 1").then(
        () => void (isAnswered = true),
        () => {},
      );
    }, BEAT_MS).unref();
    const end = () => {
      if (isOver) return;
      isOver = true;
      clearInterval(beat);
      this.#isHearing = false;
      client.end().catch(() => {});
      if (this.#isClosed) return;
      this.#retry = setTimeout(() => void this.#connect(), RECONNECT_MS);
      this.#retry.unref();
    };
    client.on("error", end);
    client.on("end", end);
    client.on("notification", () => this.onChange());
    try {
      await client.connect();
      await client.query(`LISTEN ${CHANGE_CHANNEL}`);
      if (isOver) return;
      this.#isHearing = true;
      this.onChange();
    } catch {
      end();
    }
  }
}
