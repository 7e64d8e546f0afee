import { expect, test } from "bun:test";
import type { AuditLog } from "@/lib/contract/operations/audit/audit-logs";
import { describePrice, readPriceVersions } from "./price-versions";

const event = (object: string, after: Record<string, unknown> | null) =>
  ({ id: `audit_${object}`, type: "model.updated", changes: [{ object, after }] }) as unknown as AuditLog;

test("a version tells rate and prices, by tokens or by the unit, as amounts are written", () => {
  const tokens = {
    rate: "0.2",
    batch_rate: "0.1",
    input_per_1m: "1",
    output_per_1m: "2.5",
    unit_price: null,
    audio_price: '{"input_per_1m":"40","output_per_1m":"80"}',
  };
  const unitPrice = JSON.stringify({ unit: "image", amount: "0.04", qualities: { hd: "0.08" } });
  const image = { rate: "1", input_per_1m: "0", output_per_1m: "0", unit_price: unitPrice };
  const versions = readPriceVersions([event("model_prices", tokens), event("models", image)]);
  expect(versions.map(describePrice)).toEqual([
    [
      "rate 0.20",
      "batch rate 0.10",
      "1.00 in, 2.50 out per 1M tokens",
      "audio 40.00 in, 80.00 out per 1M tokens",
    ],
    ["rate 1.00", "0.04 per image, hd 0.08"],
  ]);
});

test("the prices before the earliest change come last: the stored ones, or the configured defaults", () => {
  const row = (rate: string) => ({ rate, input_per_1m: "1", output_per_1m: "2", unit_price: null });
  const change = (before: object | null, after: object, default_before: object | null = null) =>
    ({
      id: "audit_1",
      changes: [{ object: "model_prices", before, after, default_before }],
    }) as unknown as AuditLog;
  const listRates = (...events: AuditLog[]) =>
    readPriceVersions(events).map((version) => [version.rate, !!version.event]);
  expect(listRates(change(row("0.3"), row("0.4")), change(row("0.2"), row("0.3")))).toEqual([
    ["0.4", true],
    ["0.3", true],
    ["0.2", false],
  ]);
  expect(listRates(change(null, row("0.45"), row("0.5")))).toEqual([
    ["0.45", true],
    ["0.5", false],
  ]);
  expect(listRates(change(null, row("0.45")))).toEqual([["0.45", true]]);
});

test("events that changed no price are none of its versions", () => {
  expect(readPriceVersions([event("rate_limits", { rate: "1" }), event("models", null)])).toEqual([]);
});
