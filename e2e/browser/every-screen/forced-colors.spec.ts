import type { Locator } from "@playwright/test";
import { expect, test } from "../../support/fixtures/test";
import { createSelectedProject } from "../../support/pages/select-project";
import { signIn } from "../../support/pages/sign-in";

const readStyle = (part: Locator, name: string) =>
  part.evaluate((element, asked) => getComputedStyle(element).getPropertyValue(asked), name);

test("where the system chooses the colors, buttons have an edge and a chart's legend keeps its colors", async ({
  page,
  context,
  gatehouse,
}, { title }) => {
  await createSelectedProject(context, gatehouse, title);
  await signIn(page, gatehouse);
  await page.emulateMedia({ forcedColors: "active" });
  await page.goto("/keys");
  const create = page.getByRole("main").getByRole("button", { name: "Create key" });
  await expect(create).toBeVisible();
  const ground = await readStyle(page.locator("body"), "background-color");
  expect(await readStyle(create, "border-top-width")).toBe("1px");
  expect(await readStyle(create, "border-top-color")).not.toBe(ground);
  const here = page.getByRole("navigation", { name: "Screens" }).locator("[aria-current=page]");
  expect(await readStyle(here, "outline-style")).toBe("solid");

  await page.goto("/requests");
  const mark = page.getByText(/^[\d,]+ completed$/).locator("[aria-hidden]");
  await expect(mark).toBeVisible();
  expect(await readStyle(mark, "background-color")).not.toBe(ground);
});
