import type { Page } from "@playwright/test";

/** Everything that the page has stored in this browser. */
export function readStored(page: Page): Promise<string> {
  return page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }));
}

/** The drafts of forms in this tab, by the prefix by which a sign-out finds them. Empty if there are none. */
export function readDrafts(page: Page): Promise<string> {
  return page.evaluate(() =>
    Object.entries({ ...localStorage, ...sessionStorage })
      .filter(([key]) => key.startsWith("gatehouse:draft:"))
      .map(([, text]) => text)
      .join("\n"),
  );
}
