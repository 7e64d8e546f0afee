import { expect, test } from "bun:test";
import { toNano, ZERO } from "@/lib/money/amount";
import { balanceTooLow } from "./admission-refusals";

const rate = toNano(1_000_000_000n);
const tokens = { inputPer1m: toNano(1n), outputPer1m: toNano(1n), rate };
const perUnit = (unit: string) => ({
  inputPer1m: ZERO,
  outputPer1m: ZERO,
  rate,
  perUnit: { unit, amount: toNano(1n) },
});

test.each<[Parameters<typeof balanceTooLow>[3], string]>([
  [{ price: tokens }, "send a shorter prompt"],
  [{ price: tokens, audioMegabytes: 1 }, "send a shorter prompt or recording"],
  [{ price: perUnit("image") }, "ask for fewer or cheaper images"],
  [{ price: perUnit("megapixel") }, "ask for fewer or smaller images"],
  [{ price: perUnit("second") }, "ask for fewer seconds"],
  [{ price: perUnit("second"), audioMegabytes: 1 }, "send a shorter recording"],
  [{ price: perUnit("minute"), audioMegabytes: 1 }, "send a shorter recording"],
  [{ price: perUnit("character") }, "send a shorter text"],
])("the refusal for a low balance advises what makes the request cheaper (%#)", (request, advice) => {
  const { message, details } = balanceTooLow(ZERO, toNano(1n), "USD", request);
  expect(message).toEndWith(`Have a payment recorded, or ${advice}.`);
  expect(details.fuller?.message).toEndWith(`Record a payment, or ${advice}.`);
});
