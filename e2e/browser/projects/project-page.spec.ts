import { adminApi } from "../../support/clients/admin-api";
import { joinMember } from "../../support/clients/join-member";
import { expect, test } from "../../support/fixtures/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { expectNoSidewaysScroll } from "../../support/pages/expect-no-sideways-scroll";
import { signIn } from "../../support/pages/sign-in";
import { PHONE } from "../../support/pages/viewports";

test.use({ scene: "project-page" });

test("a project has a page: it is renamed there, and archived after naming what stops", async ({
  page,
  gatehouse,
}) => {
  const { createProject, createKey } = adminApi(gatehouse);
  const { id } = await createProject("Support bot");
  await createKey(id, "Production");
  await signIn(page, gatehouse);
  await page.goto("/projects");
  await page.getByRole("link", { name: "Support bot" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Support bot" })).toBeVisible();
  await expect(page.getByRole("navigation", { name: "Breadcrumb" })).toContainText("Support bot");
  await expectNoAxeViolations(page);

  await page.getByRole("button", { name: "Rename" }).click();
  const name = page.getByRole("textbox", { name: "Name" });
  await name.fill("Help desk");
  await expectNoAxeViolations(page);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Help desk" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Rename" })).toBeFocused();

  await page.getByRole("button", { name: "Archive project" }).click();
  const question = page.getByRole("dialog");
  await expect(question.getByRole("list", { name: "What stops" })).toContainText("1 key is revoked");
  await expectNoAxeViolations(page);
  await expect(question.getByRole("button", { name: "Archive project" })).toBeDisabled();
  await question.getByRole("textbox").fill("Help desk");
  await page.keyboard.press("Enter");
  await expect(page.getByText("This project is archived")).toBeVisible();
  await expect(page.getByRole("button", { name: "Rename" })).toHaveCount(0);
  await expectNoAxeViolations(page);

  await page.goto("/projects");
  const projects = page.getByRole("table", { name: "Projects of the organization" });
  await expect(projects.getByRole("row").nth(1)).toBeVisible();
  await expect(projects.getByRole("row", { name: /Help desk/ })).toHaveCount(0);
  await page.getByLabel("Status").selectOption("Archived projects");
  await expect(projects.getByRole("row")).toHaveCount(2);
  await expect(projects.getByRole("row", { name: /Help desk/ })).toContainText("Archived");
  await expectNoAxeViolations(page);
  await page.reload();
  await expect(projects.getByRole("row", { name: /Help desk/ })).toBeVisible();
});

test("a rename after another member's rename asks which name to keep", async ({ page, gatehouse }) => {
  const { id } = await adminApi(gatehouse).createProject("Search");
  await signIn(page, gatehouse);
  await page.goto(`/projects/${id}`);
  await page.getByRole("button", { name: "Rename" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Mine");
  await adminApi(gatehouse).call("POST", `/projects/${id}`, { name: "Theirs" });
  await page.keyboard.press("Enter");
  const question = page.getByRole("dialog").last();
  await expect(question).toContainText("Theirs");
  await expect(question).toContainText("Mine");
  await expectNoAxeViolations(page);
});

test("members are added, given another role and removed with only the keyboard", async ({
  page,
  gatehouse,
}) => {
  const { id } = await adminApi(gatehouse).createProject("Marketing");
  await joinMember(gatehouse, "ada@example.com", { name: "Ada" });
  await signIn(page, gatehouse);
  await page.goto(`/projects/${id}?tab=members`);
  await expect(page.getByText("No member with a role here")).toBeVisible();
  await expectNoAxeViolations(page);

  await page.getByRole("button", { name: "Add member" }).press("Enter");
  await page.getByRole("combobox", { name: "Email" }).fill("nobody@example.com");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toContainText("nobody@example.com");
  await expect(page.getByRole("combobox", { name: "Email" })).toHaveValue("nobody@example.com");
  await page.getByRole("combobox", { name: "Email" }).fill("ada@example.com");
  await expectNoAxeViolations(page);
  await page.keyboard.press("Enter");
  const row = page.getByRole("row", { name: /Ada/ });
  await expect(row).toContainText("Project member");

  await row.getByRole("button", { name: "Change the role of Ada" }).press("Enter");
  await page.getByRole("radio", { name: /^Project viewer/ }).check();
  await expectNoAxeViolations(page);
  await page.keyboard.press("Enter");
  await expect(row).toContainText("Project viewer");
  await expect(row.getByRole("button", { name: "Change the role of Ada" })).toBeFocused();

  await row.getByRole("button", { name: "Remove Ada from the project" }).press("Enter");
  await expect(page.getByRole("dialog")).toContainText(
    "They lose their roles here immediately: Project viewer",
  );
  await page.getByRole("button", { name: "Remove from project" }).press("Enter");
  await expect(page.getByText("No member with a role here")).toBeVisible();
});

test("a group is given a role in the project, on a phone too", async ({ page, gatehouse }) => {
  const { call, createProject } = adminApi(gatehouse);
  const { id } = await createProject("Data science");
  await call("POST", "/groups", { name: "Analysts" });
  await signIn(page, gatehouse);
  await page.setViewportSize(PHONE);
  await page.goto(`/projects/${id}?tab=members`);
  await page.getByRole("button", { name: "Add group" }).click();
  await page.getByRole("combobox", { name: "Group" }).selectOption("Analysts");
  await page.getByRole("dialog").getByRole("button", { name: "Add group" }).click();
  const row = page.getByRole("row", { name: /Analysts/ });
  await expect(row).toContainText("Project member");
  await expectNoSidewaysScroll(page);
  await expectNoAxeViolations(page);
  await row.getByRole("button", { name: "Remove the group “Analysts” from the project" }).click();
  await page.getByRole("button", { name: "Remove from project" }).click();
  await expect(page.getByText("No group with a role here")).toBeVisible();
});
