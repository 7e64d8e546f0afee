import type { Page } from "@playwright/test";
import { adminApi } from "../../support/clients/admin-api";
import { expect, test } from "../../support/fixtures/test";
import { holdPosts } from "../../support/pages/hold-posts";
import { createSelectedProject } from "../../support/pages/select-project";
import { signIn } from "../../support/pages/sign-in";

let projectId: string;

test.beforeEach(async ({ page, context, gatehouse }, { title }) => {
  projectId = await createSelectedProject(context, gatehouse, title.slice(0, 80));
  await signIn(page, gatehouse);
});

/** The names of what moves at the moment. */
const listMotion = (page: Page) =>
  page.evaluate(() =>
    document
      .getAnimations()
      .filter(({ playState }) => playState === "running")
      .map((one) => (one instanceof CSSAnimation ? one.animationName : "a transition")),
  );

for (const reducedMotion of ["reduce", "no-preference"] as const) {
  test(`a save under way, a dialog and a toast work with reduced motion: ${reducedMotion}`, async ({
    page,
    gatehouse,
  }) => {
    await adminApi(gatehouse).createKey(projectId, "temporary");
    await page.emulateMedia({ reducedMotion });
    await page.goto("/keys");
    await page.getByRole("button", { name: /^Delete/ }).click();
    const release = await holdPosts(page, "**/keys*");
    const confirm = page.getByRole("dialog").getByRole("button", { name: /^Delete/ });
    await confirm.click();
    await expect(confirm).toHaveAttribute("aria-busy", "true");
    // The button shows what replaces its words.
    await expect(confirm.locator("svg:visible")).toHaveCount(1);
    const moving = reducedMotion === "reduce" ? [] : ["spin"];
    await expect.poll(() => listMotion(page)).toEqual(moving);
    release();
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(page.getByText(/ deleted$/).first()).toBeVisible();
    await expect.poll(() => listMotion(page)).toEqual([]);
  });
}
