import { gzipSync } from "node:zlib";

/** What a browser with a session, or without one, gets from an address. */
type Get = (
  url: string,
) => Promise<{ ok(): boolean; status(): number; url(): string; body(): Promise<Buffer> }>;

/**
 * The gzipped size of all scripts in a page's HTML, in units of 1,000 bytes; null for an address that leads to another.
 * `sizes` keeps what was weighed: pages share most of their scripts.
 */
export async function weighScripts(
  get: Get,
  address: URL,
  sizes: Map<string, number> = new Map(),
): Promise<number | null> {
  const response = await get(address.href);
  if (!response.ok()) throw new Error(`${address} answered ${response.status()}`);
  if (new URL(response.url()).pathname !== address.pathname) return null;
  let total = 0;
  for (const script of findScripts(String(await response.body()), address)) {
    const size = sizes.get(script) ?? gzipSync(await (await get(script)).body()).length;
    sizes.set(script, size);
    total += size;
  }
  return total / 1000;
}

function findScripts(html: string, address: URL): Set<string> {
  const scripts = new Set<string>();
  for (const [tag] of html.matchAll(/<(?:script|link)\b[^>]*>/g)) {
    if (/\bnoModule\b/i.test(tag)) continue;
    const source = /\b(?:src|href)="([^"]+\.js[^"]*)"/.exec(tag)?.[1];
    if (source) scripts.add(new URL(source, address).href);
  }
  return scripts;
}

const LIST_KB = 222;
const FORM_KB = 242;
const TOOL_KB = 262;

/** The most script, in KB (gzip), that a screen may load before it can be used. A new screen counts as a list. */
export function findScriptBudget(path: string): number {
  return budgets[path] ?? LIST_KB;
}

/** Screens that aren't lists, by the folders of their page. */
const budgets: Readonly<Record<string, number>> = {
  "/sign-in": 200,
  "/receipt": 200,
  "/": FORM_KB,
  "/models/[id]/routes": FORM_KB,
  "/models/new": FORM_KB,
  "/payments/import": FORM_KB,
  "/projects/[id]/limits/[model]": FORM_KB,
  "/providers/[id]": FORM_KB,
  "/providers/new": FORM_KB,
  "/requests/[id]": FORM_KB,
  "/roles/new": FORM_KB,
  "/account": TOOL_KB,
  "/calculator": TOOL_KB,
  "/models/[id]": TOOL_KB,
  "/projects/[id]": TOOL_KB,
  "/projects/[id]/limits": TOOL_KB,
  "/projects/[id]/playground": TOOL_KB,
  "/projects/[id]/prompts/[prompt]": TOOL_KB,
  "/roles/[id]": TOOL_KB,
  "/settings": TOOL_KB,
  "/settings/configuration": TOOL_KB,
};
