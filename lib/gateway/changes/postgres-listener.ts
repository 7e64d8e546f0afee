import pg from "pg";
import { CHANGE_CHANNEL } from "./transactions.sql";

const CONNECT_MS = 2_000;
const RECONNECT_MS = 250;

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
    await this.#client?.end().catch(() => {});
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
    const end = () => {
      if (isOver) return;
      isOver = true;
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
