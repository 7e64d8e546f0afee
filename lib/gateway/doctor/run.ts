import { accessSync, constants } from "node:fs";
import { join, resolve } from "node:path";
import { type AuditHead, parseAuditHead } from "@/lib/gateway/audit/audit-head";
import { StoreFault, storeFaultOf } from "@/lib/gateway/store/store-fault";
import { BackupError, backUp } from "./back-up";
import { examine, type Finding } from "./examine";

// `npm run doctor`, optionally with `--audit-head LENGTH:HASH` from an earlier export, and `npm run backup FILE`. Both use
// the data folder in GATEHOUSE_DATA.

const [, , command, argument] = process.argv;
const path = join(resolve(process.env.GATEHOUSE_DATA || ".gatehouse"), "gatehouse.sqlite");

try {
  accessSync(path, constants.R_OK);
} catch {
  fail(`${path} can't be read: start Gatehouse first, or name its data folder in GATEHOUSE_DATA.`);
}
if (command === "backup") makeBackup(argument);
else if (command === "--audit-head") diagnose(knownHead(argument));
else if (command === undefined) diagnose();
else fail(`"${command}" is nothing doctor knows: it takes --audit-head LENGTH:HASH, or nothing.`);

function knownHead(text = ""): AuditHead {
  return (
    parseAuditHead(text) ??
    fail(
      "Name the head as doctor printed it, or as length and hash of GET /organization/audit_logs/head: 117:9f2c…",
    )
  );
}

function diagnose(known?: AuditHead): void {
  let faults = 0;
  for (const finding of findingsOf(known)) {
    console.log(`${finding.faults.length === 0 ? "ok   " : "FAULT"} ${finding.title} (${finding.checked})`);
    for (const fault of finding.faults) console.log(`      ${fault}`);
    faults += finding.faults.length;
  }
  console.log(faults === 0 ? "All is well." : `${faults} ${faults === 1 ? "fault" : "faults"}.`);
  process.exitCode = faults === 0 ? 0 : 1;
}

function findingsOf(known?: AuditHead): Finding[] {
  try {
    return examine(path, Date.now(), known);
  } catch (error) {
    const fault = storeFaultOf(error, path);
    if (fault instanceof StoreFault) fail(fault.message);
    throw error;
  }
}

function makeBackup(file: string | undefined): void {
  if (!file) fail("Name the file the backup goes to: npm run backup -- FILE");
  console.log(`Writing ${path} to ${resolve(file)} …`);
  try {
    const bytes = backUp(path, resolve(file));
    console.log(`${(bytes / 1_000_000).toFixed(1)} MB are on disk.`);
    console.log(
      "Keep GATEHOUSE_SECRET, or the file “secret” of the data folder, apart: it opens the providers' keys.",
    );
  } catch (error) {
    if (error instanceof BackupError) fail(error.message);
    throw error;
  }
}

function fail(line: string): never {
  console.error(line);
  process.exit(1);
}
