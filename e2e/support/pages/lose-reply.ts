import type { Page } from "@playwright/test";

/**
 * Lets one request that is posted to `addresses` arrive, and its reply be lost: the `nth` from now on, the first being
 * 1.
 */
export async function loseReply(page: Page, addresses: string, nth = 1): Promise<void> {
  let sent = 0;
  await page.route(addresses, async (route) => {
    if (route.request().method() !== "POST" || ++sent !== nth) return route.fallback();
    await route.fetch();
    await route.abort();
  });
}
