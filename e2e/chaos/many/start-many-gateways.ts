import { randomBytes } from "node:crypto";
import pg from "pg";
import { examinePostgres } from "@/lib/gateway/doctor/postgres/examine-postgres";
import { type PostgresCluster, startPostgres } from "@/lib/gateway/testing/postgres/postgres-cluster";
import { adminApi } from "../../support/clients/admin-api";
import { until } from "../../support/clients/until";
import { type Gateway, startGateway } from "../../support/programs/start-gateway";
import { readPostgresLedger } from "../books/read-ledger";
import { type Books, reconcile } from "../books/reconcile";
import type { Received } from "../clients/call-gateway";
import { PLAIN_MODEL, PLAIN_PROVIDER, type StageModel, startProvider } from "../start-stage";

/** No row of theirs uses files; a gateway on PostgreSQL asks for a bucket nevertheless. */
const NO_BUCKET = {
  store: "s3://files",
  endpoint: "http://127.0.0.1:9",
  access_key_id: "a",
  secret_access_key: "b",
};
const GATEWAYS = 3;
/** A dead gateway's lease ends within 30 s, and what it held is looked for every 5 s. */
const TAKEN_OVER_WITHIN_MS = 60_000;

export type ManyStage = Awaited<ReturnType<typeof startManyGateways>>;

interface ManyOptions {
  readonly balance?: string;
  readonly models?: readonly StageModel[];
  /** How many keys there are for each gateway. One at a time calls with a key, so a call without a reply is known. */
  readonly keyCount?: number;
  readonly outputs?: object;
  readonly env?: Readonly<Record<string, string>>;
  /** The variables that a gateway has of its own, and modules that it is started after. */
  readonly envOf?: (gateway: number) => Readonly<Record<string, string>>;
  readonly preloads?: readonly string[];
  /** Starts another PostgreSQL than one on the disk of all. */
  startPostgres?(): Promise<PostgresCluster>;
  /** The address at which a gateway reaches PostgreSQL, where it isn't PostgreSQL's own. */
  reachPostgres?(url: string, gateway: number): Promise<string>;
}

type Rows = (query: string, values?: unknown[]) => Promise<Record<string, string>[]>;

/**
 * Starts several gateways as programs of their own on one PostgreSQL, which is a program of this test too, and the
 * fault provider.
 */
export async function startManyGateways(options: ManyOptions = {}) {
  const { balance = "1000000.00", models = [PLAIN_MODEL], keyCount = 1, outputs = NO_BUCKET, env } = options;
  await using started = new AsyncDisposableStack();
  const postgres = await (options.startPostgres ?? startPostgres)();
  started.defer(() => postgres.stop());
  const { url: databaseUrl } = postgres;
  const rows: Rows = (query, values) => ask(databaseUrl, query, values);
  const scene = await startProvider({ models, providers: [PLAIN_PROVIDER], outputs });
  started.defer(() => scene.remove());
  const shared = {
    GATEHOUSE_CONFIG: scene.configFile,
    GATEHOUSE_OPENING_BALANCE: balance,
    GATEHOUSE_SECRET: randomBytes(32).toString("base64"),
    // A gateway is only asked to stop when nobody calls it any more, unless a row is about that.
    GATEHOUSE_DRAIN_SECONDS: "0",
    ...env,
  };
  const start = async (number: number) => {
    const reached = (await options.reachPostgres?.(databaseUrl, number)) ?? databaseUrl;
    const gateway = await startGateway(
      { DATABASE_URL: reached, ...shared, ...options.envOf?.(number) },
      options.preloads,
    );
    started.defer(() => gateway.stop());
    return gateway;
  };
  const first = await start(0);
  const others = Array.from({ length: GATEWAYS - 1 }, (_none, index) => start(index + 1));
  const gateways: Gateway[] = [first, ...(await Promise.all(others))];
  const admin = adminApi(first);
  const { projectId, places } = await createKeys(admin, gateways, keyCount);
  started.defer(() => scene.stopProvider());
  const kept = started.move();
  return {
    postgres,
    rows,
    gateways,
    /** Each gateway, with keys that no other load uses. */
    places,
    admin,
    models,
    projectId,
    baseUrl: first.baseUrl,
    baseUrls: gateways.map(({ baseUrl }) => baseUrl),
    keys: places[0]?.keys ?? [],
    waiting: scene.waiting,
    letGo: scene.letGo,
    invoices: scene.invoices,
    ...openBooks(databaseUrl, rows, { models, invoices: scene.invoices }),
    stop: () => kept.disposeAsync(),
  };
}

async function ask(url: string, query: string, values: unknown[] = []): Promise<Record<string, string>[]> {
  const client = new pg.Client(url);
  // A killed PostgreSQL breaks connections at any moment.
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query<Record<string, string>>(query, values)).rows;
  } finally {
    await client.end();
  }
}

/** Everything that doctor checks, except that tests don't wait for the disk. */
async function diagnose(databaseUrl: string): Promise<string[]> {
  const findings = await examinePostgres(databaseUrl, { nowMs: Date.now() });
  return findings
    .flatMap(({ title, faults }) => faults.map((fault) => `${title}: ${fault}`))
    .filter((fault) => !/(fsync|full_page_writes) is off/.test(fault));
}

async function createKeys(
  admin: ReturnType<typeof adminApi>,
  gateways: readonly Gateway[],
  keyCount: number,
) {
  const { data: projects } = await admin.call<{ data: { id: string }[] }>("GET", "/projects");
  const projectId = projects[0]?.id ?? "";
  const createKey = () => admin.createKey(projectId, "Load");
  const place = async (gateway: Gateway) => ({
    gateway,
    baseUrl: gateway.baseUrl,
    keys: await Promise.all(Array.from({ length: keyCount }, createKey)),
  });
  return { projectId, places: await Promise.all(gateways.map(place)) };
}

function openBooks(
  databaseUrl: string,
  rows: Rows,
  { models, invoices }: Pick<Books, "models"> & { readonly invoices: () => Books["invoices"] },
) {
  const ledger = () => readPostgresLedger(databaseUrl);
  return {
    ledger,
    /** Waits until every hold has ended. Leases of gateways that are gone end at once, as if their time had passed. */
    async settle(isHurried = false) {
      if (isHurried)
        await rows(
          "UPDATE leases SET ends_at_ms = 0 WHERE pg_try_advisory_xact_lock(hashtextextended(owner, 0))",
        );
      const open = async () => Number((await rows("SELECT count(*) AS open FROM holds"))[0]?.open);
      return until("every hold is resolved", async () => (await open()) === 0, TAKEN_OVER_WITHIN_MS);
    },
    /** What doctor finds. */
    diagnose: () => diagnose(databaseUrl),
    /** The three books, and what doctor finds. */
    async reconcile(calls: readonly Received[]) {
      const { faults, figures } = reconcile({ calls, invoices: invoices(), ledger: await ledger(), models });
      return { faults: [...faults, ...(await diagnose(databaseUrl))], figures };
    },
  };
}
