import { readFile } from "node:fs/promises";
import { adminApi } from "../../support/clients/admin-api";
import { expect, test } from "../../support/fixtures/test";
import { expectAccessible } from "../../support/pages/expect-accessible";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { openAsMember } from "../../support/pages/open-as-member";
import { signIn } from "../../support/pages/sign-in";

test.use({ scene: "payment-import" });

const available = async (gatehouse: Parameters<typeof adminApi>[0]) =>
  (await adminApi(gatehouse).call<{ available: string }>("GET", "/balance")).available;

test("finance imports a bank’s export: plan, approval, and the same file a second time", async ({
  page,
  gatehouse,
}) => {
  await openAsMember(page.context(), gatehouse, { email: "fin@example.com", name: "Fin", role: "owner" });
  await adminApi(gatehouse).call("POST", "/payment_approval", { above: "1000.00" });
  await page.goto("/payments");
  await page.getByRole("link", { name: "Import payments" }).click();
  await expect(page.getByRole("heading", { name: "Import payments", level: 1 })).toBeVisible();
  await expectNoAxeViolations(page);

  const csv =
    'Date;Betrag;Rechnung;Memo;Konto\n01.11.2026;"1.234,50";INV 1;Acme;1\n02.11.2026;25,00;INV 2;;1\n03.11.2026;25,00;inv 2;;1\n';
  await page
    .getByLabel("Payments as CSV file")
    .setInputFiles({ name: "export.csv", mimeType: "text/csv", buffer: Buffer.from(csv) });
  await expect(page.getByLabel("Amount", { exact: true })).toHaveValue("1");
  await expect(page.getByText("Paid on 1 November 2026")).toBeVisible();
  await expect(page.getByLabel("Reference", { exact: true })).toHaveValue("2");
  await expect(page.getByRole("heading", { name: "Records 2 payments" })).toBeVisible();
  await expect(page.getByText("1 payment seems to be recorded already")).toBeVisible();
  await expect(page.getByText("The same as line 3.")).toBeVisible();
  await expect(page.getByRole("row", { name: /INV 1/ })).toContainText("1,234.50");
  await expect(page.getByRole("row", { name: /INV 1/ })).toContainText("waits for approval");
  await expect(page.getByText("Columns not read")).toBeVisible();
  await expectNoAxeViolations(page);
  expect(await available(gatehouse)).toBe("10.00");

  await page.getByLabel(/Record it anyway/).check();
  await expect(page.getByRole("heading", { name: "Records 3 payments" })).toBeVisible();
  await page.getByRole("button", { name: "Record 3 payments" }).click();
  await expect(page.getByText("2 payments recorded")).toBeVisible();
  await expect(
    page.getByText(/1,234.50 USD in 1 payment can be spent once another member approves it/),
  ).toBeVisible();
  await expect(page.getByLabel("Payments as CSV", { exact: true })).toHaveValue("");
  await expectNoAxeViolations(page);
  expect(await available(gatehouse)).toBe("60.00");

  await page.getByLabel("Payments as CSV", { exact: true }).fill(csv);
  await expect(page.getByText("All payments of this file are recorded already")).toBeVisible();
  await expect(page.getByRole("button", { name: "Record payments" })).toBeDisabled();
  await expect(page.getByRole("row", { name: /INV 1/ })).toContainText("one that waits");
  await expectAccessible(page);
});

test("values that can’t be read are named by line, and unclear columns are asked for", async ({
  page,
  gatehouse,
}) => {
  await signIn(page, gatehouse);
  await page.goto("/payments/import");
  const field = page.getByLabel("Payments as CSV", { exact: true });
  await field.fill("amount,reference\n1.234,A\n-5,B\n1,234.50\n7,C");
  await expect(page.getByText("Nothing can be recorded yet: 3 values can’t be read")).toBeVisible();
  await expect(page.getByText("Line 2, amount: “1.234”", { exact: false })).toBeVisible();
  await expect(
    page.getByText("Line 4, amount: “1,234.50” can be one amount", { exact: false }),
  ).toBeVisible();
  await expectNoAxeViolations(page);

  await field.fill("amount,reference\n1234.50,A\n12");
  await expect(
    page.getByText("Line 3: The file ends in the middle of this line.", { exact: false }),
  ).toBeVisible();

  await field.fill("paid,paid back,ref\n5.00,1.00,Unclear");
  await expect(page.getByText("Choose the column of the amounts.", { exact: false })).toBeVisible();
  await page.getByLabel("Amount", { exact: true }).selectOption({ label: "paid" });
  await expect(page.getByRole("button", { name: "Record 1 payment" })).toBeVisible();
  await expect(page.getByRole("row", { name: /Unclear/ })).toContainText("5.00");
});

test("a payment that a colleague records meanwhile is not recorded twice", async ({ page, gatehouse }) => {
  await signIn(page, gatehouse);
  await page.goto("/payments/import");
  const field = page.getByLabel("Payments as CSV", { exact: true });
  await field.fill("amount,reference\n3.00,Race\n4.00,Other");
  await expect(page.getByRole("button", { name: "Record 2 payments" })).toBeVisible();
  await adminApi(gatehouse).call("POST", "/payments", { amount: "3.00", reference: "race" });
  const before = await available(gatehouse);
  await page.getByRole("button", { name: "Record 2 payments" }).click();
  await expect(
    page.getByText("Nothing was recorded: one of these payments was recorded meanwhile"),
  ).toBeVisible();
  await expect(page.getByRole("button", { name: "Record 1 payment" })).toBeVisible();
  await expect(field).toHaveValue("amount,reference\n3.00,Race\n4.00,Other");
  expect(await available(gatehouse)).toBe(before);
  await expectNoAxeViolations(page);
});

test("the template is a file that the import reads", async ({ page, gatehouse }) => {
  await signIn(page, gatehouse);
  await page.goto("/payments/import");
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download template" }).click();
  const template = await readFile(await (await download).path(), "utf8");
  await page.getByLabel("Payments as CSV", { exact: true }).fill(template);
  await expect(page.getByRole("heading", { name: "Records 2 payments" })).toBeVisible();
});

test("a file with too many payments is refused with the number of files that it has to become", async ({
  page,
  gatehouse,
}) => {
  await signIn(page, gatehouse);
  await page.goto("/payments/import");
  const choose = (rows: number) =>
    page.getByLabel("Payments as CSV file").setInputFiles({
      name: "bank.csv",
      mimeType: "text/csv",
      buffer: Buffer.from(`amount,reference\n${"1.00,INV\n".repeat(rows)}`),
    });
  await choose(20_001);
  await expect(
    page.getByText("the file has 20,001 payments, and one import records at most 1,000"),
  ).toBeVisible();
  await expect(page.getByText("Split it into 21 files")).toBeVisible();
  await expectNoAxeViolations(page);
  await choose(200_000);
  await expect(
    page.getByText("is larger than 1 MiB. One import records at most 1,000 payments"),
  ).toBeVisible();
  await expect(page.getByText("Split it into 21 files")).toBeVisible();
});

test("offline it says why there is no plan, and makes it once there is a connection", async ({
  page,
  context,
  gatehouse,
}) => {
  await signIn(page, gatehouse);
  await page.goto("/payments/import");
  const csv = page.getByLabel("Payments as CSV", { exact: true });
  await csv.fill("amount,reference\n1.00,INV 1\n");
  await expect(page.getByRole("heading", { name: "Records 1 payment" })).toBeVisible();
  await context.setOffline(true);
  await csv.fill("amount,reference\n1.00,INV 1\n2.00,INV 2\n");
  await expect(page.getByText("These payments can’t be imported")).toBeVisible();
  await expect(
    page.getByText("The console isn’t responding. Check your connection, then try again.", { exact: true }),
  ).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByRole("heading", { name: "Records 2 payments" })).toBeVisible();
});
