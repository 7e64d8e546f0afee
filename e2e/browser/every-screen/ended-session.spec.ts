import type { Page } from "@playwright/test";
import { expect, test } from "../../support/fixtures/test";
import { everyForm, openForm } from "../../support/forms/every-form";
import type { ScreenForm } from "../../support/forms/screen-form";
import { attachFiles } from "../../support/pages/attach-files";
import { messageBox } from "../../support/pages/message-box";
import { createSelectedProject } from "../../support/pages/select-project";
import { signIn } from "../../support/pages/sign-in";
import type { Gatehouse } from "../../support/programs/start-gatehouse";

test.beforeEach(async ({ page, context, gatehouse }, { title }) => {
  await createSelectedProject(context, gatehouse, title);
  await signIn(page, gatehouse);
});

async function endSession(page: Page): Promise<void> {
  await page.context().clearCookies({ name: /gatehouse_session/ });
}

async function signInAgain(page: Page, gatehouse: Gatehouse): Promise<void> {
  await expect(page.getByText("Your session has ended")).toBeVisible();
  await page.getByRole("textbox", { name: "Admin key" }).fill(gatehouse.adminKey);
  await page.keyboard.press("Enter");
}

test("a preview that finds the session ended leads to a new sign-in, and back to what was chosen", async ({
  page,
  gatehouse,
}) => {
  await openForm(page, everyForm.role as ScreenForm, gatehouse);
  const permission = page.getByRole("checkbox", { name: /api\.rate_limits\.read/ });
  await endSession(page);
  await permission.click();
  await signInAgain(page, gatehouse);
  await expect(page.getByRole("region", { name: "Affected" })).toContainText("Nobody holds this role");
  await expect(permission).toBeChecked();
});

test("a search in the palette that finds the session ended leads to a new sign-in, and back", async ({
  page,
  gatehouse,
}) => {
  await page.goto("/roles");
  await page.waitForLoadState("networkidle");
  await endSession(page);
  await page.keyboard.press("ControlOrMeta+K");
  await page.getByRole("combobox", { name: "Screen, project or command" }).fill("sandbox");
  await signInAgain(page, gatehouse);
  await expect(page).toHaveURL("/roles");
});

test("a preview that finds the session ended leaves no page with an attached file, which is in no draft", async ({
  page,
  gatehouse,
}) => {
  await page.goto("/playground?model=sandbox-chat");
  await attachFiles(page, {
    name: "notes.txt",
    mimeType: "text/plain",
    buffer: Buffer.from("Three words"),
  });
  const remove = page.getByRole("button", { name: "Remove notes.txt" });
  await expect(remove).toBeVisible();
  await endSession(page);
  const previewed = page.waitForResponse((response) =>
    Boolean(response.request().postData()?.includes("What do they say?")),
  );
  await messageBox(page).fill("What do they say?");
  await previewed;
  await remove.click();
  await signInAgain(page, gatehouse);
  await expect(messageBox(page)).toHaveValue("What do they say?");
});
