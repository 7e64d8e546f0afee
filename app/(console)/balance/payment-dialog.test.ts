import { expect, test } from "bun:test";
import { findUsualPayment } from "./payment-dialog";

test("a payment far above the usual and above all others is asked about, any other isn't", () => {
  const past = ["500.00", "450.00", "600.00"];
  expect(findUsualPayment("5000.00", past)).toBe("500.00");
  expect(findUsualPayment("2499.99", past)).toBeNull();
  expect(findUsualPayment("5000.00", [...past, "8000.00"])).toBeNull();
  expect(findUsualPayment("5000.00", past.slice(1))).toBeNull();
  expect(findUsualPayment("", past)).toBeNull();
});
