import { Database } from "bun:sqlite";
import { accessSync, constants, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describePathFault } from "@/lib/durability/sync-path";
import { type AuditHead, parseAuditHead } from "../changes/audit/audit-chain.sql";
import { readConfiguration } from "../configuration/read-configuration";
import { DataFolderInUse } from "../database/data-folder/open-store-file";
import { findTooOld, findUnfinishedStart } from "../database/migrate";
import { describeStoreFault, StoreFault } from "../database/store-head";
import { SANDBOX } from "../models/providers/provider-directory";
import { sandboxModels } from "../models/sandbox-models";
import { BackupError, backUp, backUpPostgres } from "./back-up";
import { formatCount } from "./checks/check";
import { examine, examineOutputs, type Finding } from "./examine-outputs";
import { MoveError, moveToFolder, moveToPostgres } from "./move";
import { examinePostgres } from "./postgres/examine-postgres";

// `npm run doctor`, optionally with `--audit-head LENGTH:HASH` from an earlier export, `npm run backup FILE`, and
// `npm run move -- --to TARGET`. They use PostgreSQL at DATABASE_URL, otherwise the data folder in GATEHOUSE_DATA;
// doctor also the bucket of the file.

const [, , command, argument, target] = process.argv;
const dataFolder = resolve(process.env.GATEHOUSE_DATA || ".gatehouse");
const path = join(dataFolder, "gatehouse.sqlite");
const databaseUrl = process.env.DATABASE_URL || null;

if (databaseUrl === null) refuseUnreadable();
if (command === "backup") await makeBackup(argument);
else if (command === "move") await move(argument === "--to" ? target : undefined);
else if (command === "--audit-head") await diagnose(readKnownHead(argument));
else if (command === undefined) await diagnose();
else fail(`"${command}" is nothing doctor knows: it takes --audit-head LENGTH:HASH, or nothing.`);

function refuseUnreadable(): void {
  try {
    accessSync(path, constants.R_OK);
  } catch {
    fail(`${path} can't be read: start Gatehouse first, or name its data folder in GATEHOUSE_DATA.`);
  }
}

function readKnownHead(text = ""): AuditHead {
  return (
    parseAuditHead(text) ??
    fail(
      "Name the head as doctor printed it, or as length and hash of GET /organization/audit_logs/head: 117:9f2c…",
    )
  );
}

async function diagnose(auditHead?: AuditHead): Promise<void> {
  let faults = 0;
  const outputs = openConfiguredOutputs();
  const findings = await (databaseUrl === null
    ? diagnoseFolder(outputs, auditHead)
    : diagnosePostgres(databaseUrl, outputs, auditHead));
  for (const finding of findings) {
    console.log(`${finding.faults.length === 0 ? "ok   " : "FAULT"} ${finding.title} (${finding.checked})`);
    for (const fault of finding.faults) console.log(`      ${fault}`);
    faults += finding.faults.length;
  }
  console.log(faults === 0 ? "All is well." : `${faults} ${faults === 1 ? "fault" : "faults"}.`);
  // The bucket's connections would keep the process for half a minute more.
  process.exit(faults === 0 ? 0 : 1);
}

type Outputs = ReturnType<typeof openConfiguredOutputs>;

async function diagnoseFolder(outputs: Outputs, auditHead?: AuditHead): Promise<Finding[]> {
  refuseUnfinishedStart();
  const findings = runChecks(auditHead);
  if (outputs) findings.push(await examineOutputs(path, outputs));
  return findings;
}

function diagnosePostgres(url: string, outputs: Outputs, knownHead?: AuditHead): Promise<Finding[]> {
  const examineFiles = async (copy: string) =>
    outputs ? [await examineOutputs(copy, outputs, dataFolder)] : [];
  return examinePostgres(url, { nowMs: Date.now(), knownHead, examineFiles }).catch(failForStore);
}

/** `outputs` of the configuration file that GATEHOUSE_CONFIG names. */
function openConfiguredOutputs() {
  const file = process.env.GATEHOUSE_CONFIG;
  if (!file) return undefined;
  const builtIn = { provider: SANDBOX, models: sandboxModels.map(({ id }) => id) };
  const configurationResult = readConfiguration(readConfigured(file), process.env, builtIn);
  if ("faults" in configurationResult)
    fail(configurationResult.faults.map((fault) => `${file}: ${fault}`).join("\n"));
  return configurationResult.configuration.outputs;
}

function readConfigured(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const fault = describePathFault(error, { path: file, other: "set GATEHOUSE_CONFIG to another file" });
    if (fault === null) throw error;
    return fail(fault);
  }
}

function refuseUnfinishedStart(): void {
  try {
    using sqlite = new Database(path, { readonly: true, strict: true });
    const fault = findTooOld(sqlite) ?? findUnfinishedStart(sqlite);
    if (fault) fail(fault.message);
  } catch (error) {
    failForStore(error);
  }
}

function runChecks(auditHead?: AuditHead): Finding[] {
  try {
    return examine(path, Date.now(), auditHead);
  } catch (error) {
    return failForStore(error);
  }
}

function failForStore(error: unknown): never {
  const fault = describeStoreFault(error, path);
  if (fault instanceof StoreFault) fail(fault.message);
  throw error;
}

async function makeBackup(file: string | undefined): Promise<void> {
  if (!file) fail("Name the file the backup goes to: npm run backup -- FILE");
  console.log(`Writing ${databaseUrl === null ? path : "PostgreSQL"} to ${resolve(file)} …`);
  try {
    const bytes = await (databaseUrl === null
      ? backUp(path, resolve(file))
      : backUpPostgres(databaseUrl, resolve(file)));
    console.log(`${(bytes / 1_000_000).toFixed(1)} MB are on disk.`);
    console.log(
      databaseUrl === null
        ? "Uploads, results of batches and files of tasks are not in it: copy the folders “files” and “outputs” of the data folder, too."
        : "Uploads, results of batches and files of tasks are not in it: they stay in the bucket. As gatehouse.sqlite in a data folder, a gateway without DATABASE_URL starts from it.",
    );
    console.log(
      "Keep GATEHOUSE_SECRET, or the file “secret” of the data folder, apart: it opens the providers' keys.",
    );
    if (databaseUrl === null) noteTooOld();
  } catch (error) {
    if (error instanceof BackupError) fail(error.message);
    failForStore(error);
  }
}

/** Moves from the data folder to PostgreSQL, or from PostgreSQL to a data folder. */
async function move(to = ""): Promise<void> {
  const isUrl = /^postgres(?:ql)?:\/\//.test(to);
  if (databaseUrl === null && !isUrl)
    fail("Say where to: npm run move -- --to postgres://USER@HOST/DATABASE");
  if (databaseUrl !== null && (!to || isUrl))
    fail("DATABASE_URL is set, so say which new data folder to move to: npm run move -- --to FOLDER");
  const clear = process.stdout.isTTY ? "\r\x1b[2K" : "";
  const onStep = (step: string) => void (clear && process.stdout.write(`${clear}${step} …`));
  const how = { nowMs: Date.now(), onStep };
  try {
    if (databaseUrl === null) {
      const rows = await moveToPostgres({ ...how, dataFolder, url: to });
      console.log(`${clear}${formatCount(rows, "row")} are in PostgreSQL, examined, with the same ids.`);
      console.log(
        "Start gateways with DATABASE_URL and the same GATEHOUSE_SECRET: without the variable, it is the text of the file “secret” in the data folder. Start none on the data folder any more: it stays as it was.",
      );
    } else {
      await moveToFolder({ ...how, dataFolder: resolve(to), url: databaseUrl });
      console.log(`${clear}${resolve(to)} has everything of PostgreSQL, examined, with the same ids.`);
      console.log(
        "Start a gateway with it in GATEHOUSE_DATA, with the same GATEHOUSE_SECRET and bucket, and without DATABASE_URL. Start none on PostgreSQL any more: it stays as it was.",
      );
    }
  } catch (error) {
    if (clear) console.log();
    if (error instanceof MoveError || error instanceof BackupError || error instanceof DataFolderInUse)
      fail(error.message);
    failForStore(error);
  }
}

/** Says that a database is too old for this version. It is backed up all the same, as the way back from an upgrade. */
function noteTooOld(): void {
  using sqlite = new Database(path, { readonly: true, strict: true });
  const fault = findTooOld(sqlite);
  if (fault) console.log(fault.message);
}

function fail(line: string): never {
  console.error(line);
  process.exit(1);
}
