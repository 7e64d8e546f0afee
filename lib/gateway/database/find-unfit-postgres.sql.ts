/** Asks PostgreSQL, and resolves to the rows of its answer. */
export type AskPostgres = <Row>(query: string) => Promise<Row[]>;

/** The major version that is needed at least. */
const OLDEST = 15;
const MEND = "CREATE DATABASE gatehouse TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'";

interface Facts {
  readonly version: string;
  readonly number: string;
  readonly encoding: string;
  readonly in_bytes: boolean;
  readonly recovering: boolean;
}

/** Texts whose order by bytes differs from that of any language. */
const FACTS = `SELECT current_setting('server_version') AS version, current_setting('server_version_num') AS number,
  current_setting('server_encoding') AS encoding, pg_is_in_recovery() AS recovering,
  (SELECT array_agg(text ORDER BY text) FROM unnest(ARRAY['a', 'B', '_', '1', 'Z', '-', 'z']) AS text)
    = ARRAY['-', '1', 'B', 'Z', '_', 'a', 'z'] AS in_bytes`;

/** Why Gatehouse can't use a database of PostgreSQL, with what mends it; null if it can. */
export async function findUnfitPostgres(ask: AskPostgres): Promise<string | null> {
  const [facts] = await ask<Facts>(FACTS);
  if (!facts) throw new Error("PostgreSQL doesn't say what it is");
  if (Math.floor(Number(facts.number) / 10_000) < OLDEST)
    return `PostgreSQL at DATABASE_URL is ${facts.version}: Gatehouse needs ${OLDEST} or newer.`;
  if (facts.recovering)
    return "PostgreSQL at DATABASE_URL is a standby, which takes no writes: name the primary.";
  if (facts.encoding !== "UTF8")
    return `The database at DATABASE_URL is encoded in ${facts.encoding}: name one that was made with ${MEND}.`;
  if (!facts.in_bytes)
    return `The database at DATABASE_URL sorts texts as a language does, and pages are cut by ids that are compared as bytes: name one that was made with ${MEND}.`;
  return null;
}
