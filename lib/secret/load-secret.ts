import { randomBytes } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { describePathFault, syncPathSync } from "@/lib/durability/sync-path";

const SECRET_BYTES = 32;
const FOR_OTHERS = 0o006;

/** The secret can't be used. `message` is one line that names the correction. */
export class SecretError extends Error {}

/**
 * The 32 bytes that encrypt provider keys, sign callbacks and seal cookies: those configured
 * (`GATEHOUSE_SECRET`, base64), else those in `<dataFolder>/secret`, which is made when it is missing.
 * Processes that start at the same moment get the same secret.
 * @throws SecretError when it is not 32 bytes of base64, or its file can't be read or is open to every user.
 */
export function loadSecret(source: { configured?: string; dataFolder: string }): Buffer {
  if (source.configured) return decodeSecret(source.configured, "GATEHOUSE_SECRET");
  const file = join(source.dataFolder, "secret");
  try {
    const text = readFileSync(file, "utf8");
    refuseOpenFile(file);
    return decodeSecret(text, file);
  } catch (error) {
    if (!hasCode(error, "ENOENT")) {
      const fault = describePathFault(error, { path: file, other: "set GATEHOUSE_SECRET" });
      throw fault === null ? error : new SecretError(fault);
    }
  }
  mkdirSync(source.dataFolder, { recursive: true, mode: 0o700 });
  createOnce(source.dataFolder, file, randomBytes(SECRET_BYTES).toString("base64"));
  return decodeSecret(readFileSync(file, "utf8"), file);
}

function decodeSecret(text: string, origin: string): Buffer {
  const bytes = Buffer.from(text.trim(), "base64");
  if (bytes.length === SECRET_BYTES && bytes.toString("base64") === text.trim()) return bytes;
  throw new SecretError(`${origin} is not 32 bytes of base64: make one with "openssl rand -base64 32".`);
}

/**
 * Others could decrypt and sign everything. A group may read it, since volumes often belong to one. A disk without
 * permissions, which shows every file as open, doesn't count.
 */
function refuseOpenFile(file: string): void {
  if ((statSync(file).mode & FOR_OTHERS) === 0) return;
  const probe = `${file}.${randomBytes(6).toString("hex")}.draft`;
  try {
    writeDurably(probe, "");
    if ((statSync(probe).mode & FOR_OTHERS) !== 0) return;
  } finally {
    rmSync(probe, { force: true });
  }
  throw new SecretError(
    `${file} can be read or written by every user of this machine: run chmod 600 ${file}, and put another secret in it if somebody may have read it.`,
  );
}

/** A link is created atomically, so no other process reads a partial secret or replaces one. */
function createOnce(folder: string, file: string, text: string): void {
  const draft = `${file}.${randomBytes(6).toString("hex")}.draft`;
  try {
    writeDurably(draft, text);
    linkSync(draft, file);
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  syncPathSync(folder);
}

function writeDurably(file: string, text: string): void {
  const handle = openSync(file, "w", 0o600);
  try {
    writeSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
