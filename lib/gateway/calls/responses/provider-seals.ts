import { isObject } from "@/lib/contract/json-value";
import { type BodyPieces, joinPieces } from "../../http/body-reader";
import { readSeal } from "../anthropic/returned-parts";

const MARK = "gh2_";
const MARKED = /^gh2_([0-9a-f]+)_/;

const NAME = Buffer.from('"encrypted_content"');
const [TAB, LF, CR, SPACE, QUOTE, COLON] = [0x09, 0x0a, 0x0d, 0x20, 0x22, 0x3a];

/** What a provider encrypted of an answer for itself, which no other account can read. */
interface ProviderSeal {
  /** The account at a server that gave it, as in `ProviderLink.account`. */
  readonly account: string;
  readonly content: string;
}

/**
 * A reply, or an event of one, in which what its provider encrypted names the account. Every other byte stays, and one
 * without any is returned as it is.
 */
export function markSealed<Bytes extends Uint8Array>(bytes: Bytes, account: string): Bytes | Buffer {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const pieces: Uint8Array[] = [];
  let copiedUntil = 0;
  for (let at = text.indexOf(NAME); at >= 0; at = text.indexOf(NAME, at + 1)) {
    const value = findText(text, at + NAME.byteLength);
    if (value === null) continue;
    pieces.push(text.subarray(copiedUntil, value), Buffer.from(`${MARK}${account}_`));
    copiedUntil = value;
  }
  return copiedUntil === 0 ? bytes : Buffer.concat([...pieces, text.subarray(copiedUntil)]);
}

/** The same for a reply in pieces. */
export function markSealedPieces(pieces: BodyPieces, account: string): BodyPieces {
  return [markSealed(joinPieces(pieces), account)];
}

/** Where the text of a member begins whose name has ended; null where its value is none, or empty. */
function findText(bytes: Buffer, end: number): number | null {
  const isBlank = (code: number | undefined) => code === SPACE || code === TAB || code === LF || code === CR;
  let at = end;
  while (isBlank(bytes[at])) at++;
  if (bytes[at++] !== COLON) return null;
  while (isBlank(bytes[at])) at++;
  return bytes[at] === QUOTE && bytes[at + 1] !== QUOTE ? at + 1 : null;
}

/** Null for what the gateway has sealed itself, and for what a client got elsewhere. */
export function readProviderSeal(sealed: unknown): ProviderSeal | null {
  if (typeof sealed !== "string") return null;
  const [mark, account] = MARKED.exec(sealed.slice(0, 64)) ?? [];
  return mark && account ? { account, content: sealed.slice(mark.length) } : null;
}

/**
 * Who alone can read what the last sealed item of an input has: an account, or a server as in `toOrigin`. Null without
 * one.
 */
export function findMaker(input: unknown): string | null {
  const items = Array.isArray(input) ? input : [];
  for (let index = items.length - 1; index >= 0; index--) {
    const item: unknown = items[index];
    const sealed = isObject(item) ? item.encrypted_content : undefined;
    if (typeof sealed !== "string") continue;
    const maker = readProviderSeal(sealed)?.account ?? readSeal(sealed)?.origin;
    if (maker !== undefined) return maker;
  }
  return null;
}
