import { type Kysely, sql } from "kysely";

/** A change of the schema after its first version. It may change rows, too. */
export interface Migration {
  /** Sorts after those before it: "0101-task-priorities". */
  readonly name: string;
  up(queries: Kysely<never>): Promise<void>;
}

/** The digests of the files that were moved to the bucket, to compare with what it returns. */
const storedObjects: Migration = {
  name: "0101-stored-objects",
  async up(queries) {
    await sql`CREATE TABLE stored_objects (
      id TEXT NOT NULL, position INTEGER NOT NULL, sha256 TEXT NOT NULL, PRIMARY KEY (id, position)
    ) STRICT, WITHOUT ROWID`.execute(queries);
  },
};

/** The protocols of each provider, and how it is shown its key. Those there were are asked as before. */
const providerProtocols: Migration = {
  name: "0120-provider-protocols",
  async up(queries) {
    await sql`ALTER TABLE providers ADD COLUMN protocols TEXT NOT NULL DEFAULT '["chat"]'`.execute(queries);
    await sql`ALTER TABLE providers ADD COLUMN auth TEXT NOT NULL DEFAULT 'bearer'`.execute(queries);
    await sql`ALTER TABLE providers ADD COLUMN messages_base_url TEXT`.execute(queries);
  },
};

/** In the order in which they run. The first version of the schema is `tables/`, and is not changed once it is used. */
export const migrations: Migration[] = [storedObjects, providerProtocols];
