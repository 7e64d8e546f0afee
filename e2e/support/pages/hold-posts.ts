import type { Page } from "@playwright/test";

/** Keeps what is posted to `addresses` waiting, until the function that it returns is called. */
export async function holdPosts(page: Page, addresses: string): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(addresses, async (route) => {
    if (route.request().method() === "POST") await released;
    return route.fallback();
  });
  return release;
}
