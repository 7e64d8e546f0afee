/**
 * The tables that only PostgreSQL has: what the embedded engine keeps in its accounts and in memory. `book` has one
 * row, whose lock is the order of all ticks. Rows that every tick changes have a version in their key and are found
 * newest first: an old snapshot keeps dead versions alive, which are never walked through.
 */
export const bookTables = [
  `CREATE TABLE book (
    version bigint PRIMARY KEY, balance bigint NOT NULL, held bigint NOT NULL, payments bigint NOT NULL,
    charges bigint NOT NULL, variance bigint NOT NULL, last_ms bigint NOT NULL, seq bigint NOT NULL, hash bytea NOT NULL,
    CHECK (held BETWEEN 0 AND balance))`,
  "INSERT INTO book VALUES (0, 0, 0, 0, 0, 0, 0, 0, decode(repeat('00', 32), 'hex'))",
  // The charges of a calendar month (UTC) and the open holds, of the organization and of each project.
  `CREATE TABLE spend (
    scope text, version bigint, month_ms bigint NOT NULL, spent bigint NOT NULL, held bigint NOT NULL,
    PRIMARY KEY (scope, version))`,
  // What counts in the six rolling limits of a project and model, in the order of the table of limits: `used` in all,
  // `last` in the open slot, `debt` the tokens beyond the limit. Closed slots are rows of their own.
  `CREATE TABLE windows (
    project_id text, model text, version bigint, minute_slot bigint NOT NULL, day_slot bigint NOT NULL,
    used bigint[] NOT NULL, last bigint[] NOT NULL, debt bigint NOT NULL, PRIMARY KEY (project_id, model, version))`,
  `CREATE TABLE minute_slots (
    project_id text, model text, slot bigint, amounts bigint[] NOT NULL, PRIMARY KEY (project_id, model, slot))`,
  `CREATE TABLE day_slots (
    project_id text, model text, slot bigint, amounts bigint[] NOT NULL, PRIMARY KEY (project_id, model, slot))`,
  ...["book", "spend", "windows", "minute_slots", "holds"].map(
    (hot) =>
      `ALTER TABLE ${hot} SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)`,
  ),
  // What reads the accounts of the embedded engine reads them here.
  "DROP TABLE accounts",
  `CREATE VIEW accounts AS SELECT name, account.balance, CASE name WHEN 'balance' THEN held ELSE 0 END AS held
    FROM (SELECT * FROM book ORDER BY version DESC LIMIT 1) AS book,
      LATERAL (VALUES ('payments', payments), ('balance', book.balance), ('charges', charges),
        ('provider_variance', variance)) AS account (name, balance)`,
];
