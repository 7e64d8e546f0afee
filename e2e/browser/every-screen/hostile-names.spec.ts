import { adminApi } from "../../support/clients/admin-api";
import { joinMember } from "../../support/clients/join-member";
import { callModel } from "../../support/clients/send";
import { expect, test } from "../../support/fixtures/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { expectNoSidewaysScroll } from "../../support/pages/expect-no-sideways-scroll";
import { selectProject } from "../../support/pages/select-project";
import { signIn } from "../../support/pages/sign-in";
import { PHONE } from "../../support/pages/viewports";

// A scene of its own, so that no other spec meets these names.
test.use({ scene: "hostile-names" });

const NAMES = ["W".repeat(100), "<img src=x onerror=alert(1)>", "👩‍👩‍👧‍👦 עולם =cmd|calc"];
const [LONG = ""] = NAMES;
const lists = ["/groups", "/roles", "/projects", "/keys", "/admin-keys"];

test.beforeAll(async ({ gatehouse }) => {
  const { call } = adminApi(gatehouse);
  const { data } = await call<{ data: { id: string }[] }>("GET", "/projects");
  for (const name of NAMES) {
    await call("POST", "/groups", { name });
    await call("POST", "/roles", { role_name: name, permissions: ["api.models.read"] });
    await call("POST", "/projects", { name });
    await call("POST", `/projects/${data[0]?.id}/api_keys`, { name });
    await call("POST", "/admin_api_keys", { name });
  }
});

test.beforeEach(({ page, gatehouse }) => signIn(page, gatehouse));

for (const width of [1440, 1024, 390]) {
  test(`names of any kind are shown as text and widen no list, ${width} wide`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    for (const list of [...lists, "/audit-logs?range=all"]) {
      await page.goto(list);
      for (const name of NAMES) {
        await expect(page.getByRole("table").getByText(name).first()).toBeVisible();
      }
      await expectNoSidewaysScroll(page);
    }
    await expectNoAxeViolations(page);
  });
}

for (const width of [1440, 390]) {
  test(`the list of calls shows the key also beside a long project name, ${width} wide`, async ({
    page,
    gatehouse,
  }) => {
    const { createKey, createProject } = adminApi(gatehouse);
    const { id } = await createProject(`${LONG.slice(0, 90)}${width}`);
    const { value } = await createKey(id, "nightly");
    await callModel(gatehouse, value, "sandbox-echo");
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`/requests?project_id=${id}`);
    await expect(page.getByRole("table").getByText("nightly")).toBeInViewport({ ratio: 1 });
    await expectNoSidewaysScroll(page);
  });
}

test("a search for a long text that finds nothing widens no list", async ({ page }) => {
  await page.setViewportSize(PHONE);
  for (const list of lists) {
    await page.goto(`${list}?q=${LONG.repeat(5)}`);
    await expect(page.getByText(LONG.repeat(5)).first()).toBeVisible();
    await expectNoSidewaysScroll(page);
  }
});

test("the name of the selected project widens no sentence on a phone", async ({
  page,
  context,
  gatehouse,
}) => {
  await page.setViewportSize(PHONE);
  const { data } = await adminApi(gatehouse).call<{ data: { id: string; name: string }[] }>(
    "GET",
    "/projects",
  );
  const id = data.find(({ name }) => name === LONG)?.id ?? "";
  await selectProject(context, gatehouse, id);
  const screens = ["/keys", "/rate-limits", "/rate-limits/rl_sandbox-echo", "/tasks", "/batches", "/files"];
  const { id: member } = await joinMember(gatehouse, "long@example.com", { name: LONG });
  for (const path of [...screens, `/projects/${id}`, `/members/${member}`]) {
    await page.goto(path);
    await expect(page.getByRole("main").getByText(LONG).first()).toBeVisible();
    await expectNoSidewaysScroll(page);
  }
});

test("a long name that two people changed fits the question which to keep", async ({ page, gatehouse }) => {
  const { call } = adminApi(gatehouse);
  const role = { role_name: LONG.slice(1), permissions: ["api.models.read"] };
  const { id } = await call<{ id: string }>("POST", "/roles", role);
  await page.setViewportSize(PHONE);
  await page.goto(`/roles/${id}`);
  await page.getByLabel("Name", { exact: true }).fill("Mine");
  await call("POST", `/roles/${id}`, { role_name: LONG.slice(2) });
  await page.getByRole("button", { name: "Save 1 change" }).click();
  const question = page.getByRole("dialog", { name: /^Someone else saved this/ });
  const before = question.getByText(`Before: ${LONG.slice(1)}`);
  const right = async (part: typeof question) =>
    part.evaluate((element) => element.getBoundingClientRect().right);
  await expect(before).toBeVisible();
  expect(await right(before)).toBeLessThan(await right(question));
  expect(await before.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
});
