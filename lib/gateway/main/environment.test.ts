import { expect, test } from "bun:test";
import { formatAmount } from "@/lib/money/amount";
import { readSettings } from "./environment";

test("an empty environment gives the contract's defaults", () => {
  const result = readSettings({});
  if (!("settings" in result)) throw new Error(result.faults.join());
  expect(result.settings).toMatchObject({ host: "127.0.0.1", port: 8080, adminKey: null, configFile: null });
  expect(formatAmount(result.settings.openingBalance)).toBe("10.00");
});

test("every fault is listed at once, each with its mend", () => {
  const result = readSettings({
    GATEWAY_PORT: "80800",
    GATEHOUSE_ADMIN_KEY: "gk_admin_short",
    GATEHOUSE_OPENING_BALANCE: "-1",
    DATABASE_URL: "postgres://localhost",
  });
  expect(result).toEqual({
    faults: [
      expect.stringContaining("GATEWAY_PORT"),
      expect.stringContaining("GATEHOUSE_ADMIN_KEY"),
      expect.stringContaining("GATEHOUSE_OPENING_BALANCE"),
      expect.stringContaining("DATABASE_URL"),
    ],
  });
});
