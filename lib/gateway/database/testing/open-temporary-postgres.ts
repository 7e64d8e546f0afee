import { randomBytes } from "node:crypto";
import pg from "pg";
import { createPostgresTransactions } from "../../changes/transactions.sql";
import { startPostgres } from "../../testing/postgres/postgres-cluster";
import { migratePostgres } from "../migrate-postgres";
import { createPostgresQueries, openPostgresPool } from "../postgres";

const TEMPLATE = "gatehouse_template";
/** Of the lock under which one process makes the template for all that share the cluster. */
const TEMPLATE_LOCK = 720_199;

let cluster: Promise<string> | undefined;

/** A new database with the product's tables, in the run's cluster or in one of this process. */
export async function openTemporaryPostgres() {
  cluster ??= prepareCluster();
  const clusterUrl = await cluster;
  const name = `test_${randomBytes(8).toString("hex")}`;
  await query(clusterUrl, `CREATE DATABASE ${name} TEMPLATE ${TEMPLATE} STRATEGY FILE_COPY`);
  const url = withDatabase(clusterUrl, name);
  return {
    url,
    open() {
      const reads = createPostgresQueries(openPostgresPool(url));
      const transactions = createPostgresTransactions(createPostgresQueries(openPostgresPool(url, 2)));
      return {
        reads,
        direct: reads,
        transactions,
        async close() {
          await reads.destroy();
          await transactions.close();
        },
      };
    },
    upgrade: () => migrate(url),
    remove: () => query(clusterUrl, `DROP DATABASE ${name} WITH (FORCE)`),
  };
}

/** The address of a cluster with the template. The runner of the tests starts one for all its processes. */
async function prepareCluster(): Promise<string> {
  const url = process.env.GATEHOUSE_TEST_POSTGRES ?? (await startPostgres()).url;
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query("SELECT pg_advisory_lock($1)", [TEMPLATE_LOCK]);
    const { rowCount } = await client.query("SELECT FROM pg_database WHERE datname = $1", [TEMPLATE]);
    if (rowCount === 0) {
      const unfinished = `${TEMPLATE}_${randomBytes(4).toString("hex")}`;
      await client.query(`CREATE DATABASE ${unfinished}`);
      await migrate(withDatabase(url, unfinished));
      await client.query(`ALTER DATABASE ${unfinished} RENAME TO ${TEMPLATE}`);
    }
  } finally {
    await client.end();
  }
  return url;
}

async function migrate(url: string): Promise<void> {
  const queries = createPostgresQueries(openPostgresPool(url, 1));
  await migratePostgres(queries);
  await queries.destroy();
}

async function query(url: string, statement: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(statement);
  await client.end();
}

function withDatabase(url: string, name: string): string {
  return url.replace(/\/[^/]*$/, `/${name}`);
}
