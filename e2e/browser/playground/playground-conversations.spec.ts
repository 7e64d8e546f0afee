import type { Page } from "@playwright/test";
import { adminApi } from "../../support/clients/admin-api";
import { expect, test } from "../../support/fixtures/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { messageBox, sendMessage } from "../../support/pages/message-box";
import { openAsMember } from "../../support/pages/open-as-member";
import { receiptCosts } from "../../support/pages/receipts";
import { createSelectedProject } from "../../support/pages/select-project";
import { signIn } from "../../support/pages/sign-in";
import { PHONE } from "../../support/pages/viewports";

test.use({ scene: "playground-conversations" });

test.beforeEach(async ({ page, context, gatehouse }, { title }) => {
  await createSelectedProject(context, gatehouse, title);
  await signIn(page, gatehouse);
});

const saved = (page: Page) => page.getByText("Saved", { exact: true });
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

async function write(page: Page, draft: string): Promise<void> {
  await messageBox(page).fill(draft);
  await expect(saved(page)).toBeVisible();
}

test("restores a conversation and its draft after a reload, elsewhere in the console and in another session", async ({
  page,
  context,
  browser,
  gatehouse,
}) => {
  await page.goto("/playground?model=sandbox-echo");
  await sendMessage(page, "one two");
  await expect(receiptCosts(page)).toBeVisible();
  await write(page, "half a thou");
  await page.reload();
  await expect(messageBox(page)).toHaveValue("half a thou");
  await page.getByRole("link", { name: "Keys", exact: true }).first().click();
  await page.waitForURL("**/keys");
  await page.goBack();
  await expect(messageBox(page)).toHaveValue("half a thou");

  const elsewhere = await browser.newContext({ baseURL: gatehouse.consoleUrl });
  await elsewhere.addCookies(await context.cookies());
  const other = await elsewhere.newPage();
  await signIn(other, gatehouse);
  await other.goto("/playground");
  await expect(messageBox(other)).toHaveValue("half a thou");
  await expect(other.getByRole("article").first()).toBeVisible();
  await elsewhere.close();
});

test("what an older console left in the tab, in another form, doesn't keep the playground from opening", async ({
  page,
}) => {
  await page.addInitScript(() => {
    for (const [key, draft] of Object.entries(sessionStorage))
      if (key.startsWith("gatehouse:draft"))
        sessionStorage.setItem(key, draft.replace('"workbench":{"panes":[', '"workbench":{"columns":['));
  });
  await page.goto("/playground?model=sandbox-echo");
  await write(page, "half a thou");
  await page.goto("/playground");
  await expect(messageBox(page)).toHaveValue("half a thou");
  await sendMessage(page, "one two");
  await expect(page.getByRole("article")).toContainText("one two");
});

test("what one tab saves shows in the other without a reload, and what is being written there stays", async ({
  page,
  context,
}) => {
  await page.goto("/playground?model=sandbox-echo");
  await write(page, "begun");
  const second = await context.newPage();
  await second.goto("/playground");
  await expect(messageBox(second)).toHaveValue("begun");
  await sendMessage(page, "one two");
  await expect(second.getByRole("article")).toContainText("one two");
  await expect(messageBox(second)).toHaveValue("");
  await expect(second.getByText(/^Not saved/)).toHaveCount(0);
  await messageBox(second).fill("three");
  await expect(saved(second)).toBeVisible();
  await expect(messageBox(page)).toHaveValue("three");

  await second.getByRole("button", { name: "Edit message" }).click();
  await second.getByRole("textbox", { name: "Text of the message" }).fill("one, two, three");
  await write(page, "four");
  await second.getByRole("button", { name: "Save", exact: true }).click();
  await expect(
    second.getByText("Not saved: another tab or session has changed this conversation"),
  ).toBeVisible();
  await expect(second.getByText("one, two, three")).toBeVisible();
  await expect(messageBox(page)).toHaveValue("four");
});

test("a session that is behind overwrites nothing: it says so, and keeps both", async ({
  page,
  context,
  browser,
  gatehouse,
}) => {
  await page.goto("/playground");
  await write(page, "begun");
  const elsewhere = await browser.newContext({ baseURL: gatehouse.consoleUrl });
  await elsewhere.addCookies(await context.cookies());
  const second = await elsewhere.newPage();
  await second.goto("/playground");
  await expect(messageBox(second)).toHaveValue("begun");
  await write(page, "first");
  await messageBox(second).fill("second");
  const notice = second.getByText("Not saved: another tab or session has changed this conversation");
  await expect(notice).toBeVisible();
  await expectNoAxeViolations(second);
  await press(second, "Keep both");
  await expect(notice).toBeHidden();
  await expect(saved(second)).toBeVisible();
  await expect(messageBox(second)).toHaveValue("second");
  await press(second, "Conversations");
  const dialog = second.getByRole("dialog", { name: "Conversations" });
  await expect(dialog.getByRole("listitem")).toContainText([/second \(copy\).*Open/, /first/]);
  await elsewhere.close();
  await page.reload();
  await expect(messageBox(page)).toHaveValue("first");
});

test("one's conversations are opened, renamed and deleted, on a phone too", async ({ page }) => {
  await page.setViewportSize(PHONE);
  await page.goto("/playground");
  await write(page, "about limits");
  await press(page, "New conversation");
  await expect(messageBox(page)).toHaveValue("");
  await write(page, "about prices");
  await press(page, "Conversations");
  const dialog = page.getByRole("dialog", { name: "Conversations" });
  await expect(dialog.getByRole("listitem").first()).toContainText("about prices");
  await expectNoAxeViolations(page);
  await press(page, "Rename “about limits”");
  const rename = page.getByRole("dialog", { name: "Rename “about limits”" });
  await expectNoAxeViolations(page);
  await rename.getByRole("textbox", { name: "Title" }).fill("Limits");
  await press(page, "Save title");
  await dialog.getByRole("button", { name: /^Limits/ }).click();
  await expect(messageBox(page)).toHaveValue("about limits");
  // Editing the content must not remove the title.
  await write(page, "about limits, and more");
  await press(page, "Conversations");
  await expect(dialog.getByRole("button", { name: /^Limits.*Open/ })).toBeVisible();
  await press(page, "Delete “Limits”");
  await expectNoAxeViolations(page);
  await press(page, "Delete conversation");
  await expect(dialog.getByRole("button", { name: /^Limits/ })).toHaveCount(0);
  await expect(messageBox(page)).toHaveValue("");
});

test("among a hundred conversations, one is found by its title, and the list says that there are no more", async ({
  browser,
  gatehouse,
}) => {
  const context = await browser.newContext();
  const person = { email: "many@example.com", name: "Many", role: "prompt_tester" };
  const { token } = await openAsMember(context, gatehouse, person);
  const member = adminApi({ ...gatehouse, adminKey: token });
  for (let number = 1; number <= 100; number++) {
    await member.call("POST", `/conversations/conv_many${String(number).padStart(4, "0")}`, {
      title: `Talk ${number} about ${number % 2 ? "limits" : "prices"}`,
      content: {},
    });
  }
  const page = await context.newPage();
  await page.goto(`${gatehouse.consoleUrl}/playground`);
  await press(page, "Conversations");
  const dialog = page.getByRole("dialog", { name: "Conversations" });
  await expect(dialog.getByRole("listitem")).toHaveCount(100);
  await expect(dialog.getByRole("status")).toContainText("100 conversations. The next new one replaces");
  await expectNoAxeViolations(page);
  await dialog.getByRole("searchbox", { name: "Search titles" }).fill("LIMITS 77");
  await expect(dialog.getByRole("listitem")).toHaveText([/Talk 77 about limits/]);
  await expect(dialog.getByRole("status")).toHaveText("1 of 100 conversations match");
  await context.close();
});

test("a link shares it inside the organization: others read it, and go on in a copy", async ({
  page,
  browser,
  gatehouse,
}) => {
  await page.goto("/playground");
  await write(page, "shared words");
  await press(page, "Share");
  const dialog = page.getByRole("dialog", { name: "Share this conversation" });
  await expect(dialog).toContainText("Only you can read it now.");
  await press(page, "Share by link");
  const link = (await dialog.locator("code").textContent()) ?? "";
  await expectNoAxeViolations(page);

  const elsewhere = await browser.newContext({ baseURL: gatehouse.consoleUrl });
  await openAsMember(elsewhere, gatehouse, {
    email: "rea@example.com",
    name: "Rea",
    role: "prompt_tester",
  });
  const reader = await elsewhere.newPage();
  await reader.goto(link);
  await expect(reader.getByText("Shared with you to read")).toBeVisible();
  await expect(messageBox(reader)).toHaveValue("shared words");
  await expectNoAxeViolations(reader);
  await write(reader, "my own words");
  await expect(reader.getByText("Shared with you to read")).toBeHidden();
  await reader.reload();
  await expect(messageBox(reader)).toHaveValue("my own words");
  await page.reload();
  await expect(messageBox(page)).toHaveValue("shared words");

  await press(page, "Share");
  await press(page, "Stop sharing");
  await expect(dialog).toContainText("Only you can read it now.");
  await reader.goto(link);
  await expect(reader.getByText("it was deleted, or it isn’t shared with you").first()).toBeVisible();
  await expect(messageBox(reader)).toHaveValue("my own words");
  await elsewhere.close();
});

test("a shared conversation names its author, and opens in its project whichever one the address names", async ({
  page,
  browser,
  gatehouse,
}) => {
  const { createProject } = adminApi(gatehouse);
  const [own, other] = [await createProject("Rea's project"), await createProject("Another project")];
  const elsewhere = await browser.newContext({ baseURL: gatehouse.consoleUrl });
  const rea = { email: "rea.author@example.com", name: "Rea Author", role: "prompt_tester" };
  await openAsMember(elsewhere, gatehouse, rea);
  const author = await elsewhere.newPage();
  await author.goto(`/projects/${own.id}/playground`);
  await write(author, "words of Rea");
  await press(author, "Share");
  await press(author, "Share by link");
  const link = (await author.getByRole("dialog").locator("code").textContent()) ?? "";
  expect(link).toContain(own.id);

  await page.goto(link.replace(own.id, other.id));
  await expect(page.getByText("Shared with you by Rea Author")).toBeVisible();
  await expect(messageBox(page)).toHaveValue("words of Rea");
  expect(new URL(page.url()).pathname).toBe(`/projects/${own.id}/playground`);
  await elsewhere.close();
});
