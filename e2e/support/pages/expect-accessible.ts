import type { Page } from "@playwright/test";
import { expectNoAxeViolations } from "./expect-no-axe-violations";
import { expectNoSidewaysScroll } from "./expect-no-sideways-scroll";
import { PHONE } from "./viewports";

/** Checks the page in its current state by axe, in the present window and in a phone's. */
export async function expectAccessible(page: Page): Promise<void> {
  await expectNoAxeViolations(page);
  await expectAccessibleOnPhone(page);
}

/** Checks that the page fits a phone's window, and has no violations there. The window is restored. */
export async function expectAccessibleOnPhone(page: Page): Promise<void> {
  const size = page.viewportSize();
  await page.setViewportSize(PHONE);
  // Controls are larger under a finger.
  const touch = await page.context().newCDPSession(page);
  await touch.send("Emulation.setTouchEmulationEnabled", { enabled: true });
  await expectNoSidewaysScroll(page);
  await expectNoAxeViolations(page);
  await touch.detach();
  if (size) await page.setViewportSize(size);
}
