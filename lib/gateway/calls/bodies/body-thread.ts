import type { Database } from "../../database/database";
import { createPostgresQueries, openPostgresPool } from "../../database/postgres";
import { Redactions } from "../../log/bodies/redactions";
import { BodyWriter } from "../../log/bodies/stored-bodies.sql";
import type { BodyDraft } from "../../log/bodies/stored-body";
import { openSums } from "../../log/sums/sum-calls.sql";
import type { FromBodies, ToBodies } from "./body-queue";
import { prepareStoredBody } from "./describe-body";

/** The thread that describes, redacts, seals and stores bodies, so that no call waits for it. */
declare const self: Worker;

/** How long it collects bodies before it writes. */
const GATHER_MS = 50;
const MAX_COMPILED_PATTERNS = 100;

let store: Database | undefined;
let writer: BodyWriter | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
/** The end of the last write. One follows the other. */
let writing: Promise<void> = Promise.resolve();
const compiled = new Map<string, Redactions>();

const answer = (message: FromBodies) => self.postMessage(message);
const report = (error: unknown) => answer({ kind: "fault", reason: String(error) });

self.onmessage = ({ data }: MessageEvent<ToBodies>) => {
  if (data.kind === "open") openDatabase(data);
  else if (data.kind === "close") void close();
  else keep(data.draft);
};

function openDatabase({ store: place, secret }: Extract<ToBodies, { kind: "open" }>): void {
  const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes));
  const database =
    "path" in place ? openSums(place.path) : createPostgresQueries(openPostgresPool(place.databaseUrl, 1));
  store = database;
  writer = new BodyWriter(database, { key: secret, random });
}

function keep(draft: BodyDraft): void {
  try {
    writer?.add(prepareStoredBody(draft, findRedactions(draft.redactions)));
  } catch (error) {
    report(error);
    answer({ kind: "done", ids: [draft.requestId] });
  }
  timer ??= setTimeout(write, GATHER_MS);
}

function write(): void {
  timer = undefined;
  writing = writing.then(writeGathered);
}

async function writeGathered(): Promise<void> {
  if (!writer) return;
  const { written: writtenIds, lost: lostIds, isEmpty, fault } = await writer.write();
  if (fault) report(fault);
  answer({ kind: "done", ids: [...writtenIds, ...lostIds] });
  if (!isEmpty) timer ??= setTimeout(write, GATHER_MS);
}

function findRedactions(patterns: readonly string[]): Redactions {
  const name = JSON.stringify(patterns);
  const cached = compiled.get(name);
  if (cached) return cached;
  if (compiled.size >= MAX_COMPILED_PATTERNS) compiled.clear();
  const redactions = new Redactions(patterns);
  compiled.set(name, redactions);
  return redactions;
}

async function close(): Promise<void> {
  clearTimeout(timer);
  await writing;
  clearTimeout(timer);
  await writer?.end();
  await store?.destroy();
  answer({ kind: "closed" });
}
