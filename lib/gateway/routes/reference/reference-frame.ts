import { readFileSync } from "node:fs";
import { html, raw } from "hono/html";

/**
 * Runs in the browser and is written into the page as source, so it may use nothing outside itself. It filters the page
 * by the words typed, opens the operation in the address's fragment, and focuses the search on `/`.
 */
function searchReference(): void {
  const search = document.querySelector<HTMLInputElement>("#search");
  const found = document.querySelector("#found");
  const entries = [...document.querySelectorAll<HTMLElement>("[data-entry]")].map((element) => ({
    element,
    text: (element.dataset.entry ?? "").toLowerCase(),
  }));
  const groups = [...document.querySelectorAll<HTMLElement>("[data-group]")];
  if (!search || !found) return;

  const filter = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const { element, text } of entries) element.hidden = !words.every((word) => text.includes(word));
    for (const group of groups) group.hidden = !group.querySelector("[data-entry]:not([hidden])");
    const count = entries.filter(({ element }) => !element.hidden).length;
    found.textContent = words.length === 0 ? "" : `${count} of ${entries.length} found`;
  };
  const openNamed = () => {
    const named = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (named instanceof HTMLDetailsElement) named.open = true;
    named?.scrollIntoView();
  };

  search.addEventListener("input", filter);
  search.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      search.value = "";
      filter();
    }
    if (event.key !== "Enter") return;
    // The same key press would activate the link that gets the focus.
    event.preventDefault();
    const first = entries.find(({ element }) => !element.hidden)?.element;
    first?.querySelector<HTMLElement>("summary, a")?.focus();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.activeElement === search) return;
    event.preventDefault();
    search.focus();
  });
  addEventListener("hashchange", openNamed);
  if (location.hash) openNamed();
  filter();
}

/** Escaped HTML. */
export type Html = ReturnType<typeof html>;

const referencePages = [
  { path: "/docs", label: "Operations" },
  { path: "/docs/access", label: "Permissions and roles" },
] as const;
export type ReferencePath = (typeof referencePages)[number]["path"];

const style = ["reference-frame.css", "reference-content.css"]
  .map((name) => readFileSync(`${import.meta.dirname}/${name}`, "utf8"))
  .join("\n");
const script = `(${searchReference})();`;

/** Allows the page's own scripts and styles; nothing may be loaded, sent or framed. */
export const referencePolicy = [
  "default-src 'none'",
  "img-src data:",
  `style-src '${computeDigest(style)}'`,
  `script-src '${computeDigest(script)}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

interface Page {
  readonly path: ReferencePath;
  readonly title: string;
  readonly contents: readonly { readonly id: string; readonly heading: string }[];
  readonly main: Html;
}

/** The layout of the reference's pages: head, search, navigation, style and script. */
export async function frameReference({ path, title, contents, main }: Page): Promise<string> {
  const page = await html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Gatehouse reference</title>
<link rel="icon" href="data:,">
<style>${raw(style)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header>
<p class="brand">Gatehouse</p>
<nav aria-label="Reference">${referencePages.map(
    (one) =>
      html`<a href="${one.path}"${one.path === path ? raw(' aria-current="page"') : ""}>${one.label}</a>`,
  )}<a href="/openapi.json">OpenAPI</a></nav>
<search><label for="search">Search</label>
<input id="search" type="search" placeholder="post rate_limits" aria-keyshortcuts="/" autocomplete="off" spellcheck="false">
<kbd aria-hidden="true">/</kbd></search>
</header>
<div class="columns">
<nav aria-label="On this page"><ul>${contents.map(
    ({ id, heading }) => html`<li><a href="#${id}">${heading}</a></li>`,
  )}</ul></nav>
<main id="main" tabindex="-1">
<h1>${title}</h1>
<p role="status" id="found"></p>
${main}
</main>
</div>
<script>${raw(script)}</script>
</body>
</html>
`;
  return page.toString();
}

function computeDigest(text: string): string {
  return `sha256-${new Bun.CryptoHasher("sha256").update(text).digest("base64")}`;
}
