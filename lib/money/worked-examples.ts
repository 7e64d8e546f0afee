/** A charge: usage × list price per 1,000,000 tokens × model rate, rounded once. Decimal strings. */
interface ChargeExample {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly inputPer1m: string;
  readonly outputPer1m: string;
  readonly rate: string;
  readonly charge: string;
  readonly shows: string;
}

/** A charge by the unit: units × list price of one × model rate, rounded once. Decimal strings. */
interface UnitExample {
  readonly units: string;
  readonly unit: string;
  readonly amount: string;
  readonly rate: string;
  readonly charge: string;
  readonly shows: string;
}

/** A payment and what it is worth at list prices: payment ÷ model rate, rounded once. Decimal strings. */
interface WorthExample {
  readonly payment: string;
  readonly rate: string;
  readonly worth: string;
  readonly shows: string;
}

/** A month's statement: opening balance + payments − charges + corrections. Decimal strings. */
interface StatementExample {
  readonly opening: string;
  readonly payments: string;
  readonly charges: string;
  /** Signed: a correction of a payment reduces the balance, one of a charge adds to it. */
  readonly corrections: string;
  readonly closing: string;
  readonly shows: string;
}

/**
 * Worked out by hand. The calculator, the estimates, the statements and the ledger must match them to the last decimal.
 */
export const worthExamples: readonly WorthExample[] = [
  {
    payment: "10.00",
    rate: "0.2",
    worth: "50.00",
    shows: "A payment of 10.00 is worth 50.00 at a rate of 0.2.",
  },
  { payment: "10.00", rate: "1", worth: "10.00", shows: "At a rate of 1 a payment is worth itself." },
  {
    payment: "10.00",
    rate: "2.5",
    worth: "4.00",
    shows: "A rate above 1 makes calls dearer than their list price.",
  },
  {
    payment: "10.00",
    rate: "0.3",
    worth: "33.333333333",
    shows: "Below one half of the last decimal: rounded down.",
  },
  {
    payment: "0.2",
    rate: "0.3",
    worth: "0.666666667",
    shows: "Above one half of the last decimal: rounded up.",
  },
  {
    payment: "0.000000001",
    rate: "2",
    worth: "0.000000001",
    shows: "Exactly one half: rounded away from zero.",
  },
  {
    payment: "9000000000",
    rate: "0.5",
    worth: "18000000000.00",
    shows: "The largest payment keeps every decimal.",
  },
];

export const chargeExamples: readonly ChargeExample[] = [
  {
    promptTokens: 1_000,
    completionTokens: 125,
    inputPer1m: "0.25",
    outputPer1m: "2.00",
    rate: "0.2",
    charge: "0.0001",
    shows: "(1,000 × 0.25 + 125 × 2.00) ÷ 1,000,000 × 0.2.",
  },
  {
    promptTokens: 3,
    completionTokens: 3,
    inputPer1m: "1.00",
    outputPer1m: "2.00",
    rate: "0.5",
    charge: "0.0000045",
    shows: "A short call of the sandbox's echo.",
  },
  {
    promptTokens: 1,
    completionTokens: 0,
    inputPer1m: "0.001",
    outputPer1m: "0.00",
    rate: "0.5",
    charge: "0.000000001",
    shows: "Exactly one half of the last decimal: rounded away from zero.",
  },
  {
    promptTokens: 1,
    completionTokens: 0,
    inputPer1m: "0.000999999",
    outputPer1m: "0.00",
    rate: "0.5",
    charge: "0.00",
    shows: "Below one half: a call may cost nothing.",
  },
  {
    promptTokens: 1,
    completionTokens: 1,
    inputPer1m: "0.0004",
    outputPer1m: "0.0004",
    rate: "1",
    charge: "0.000000001",
    shows: "Input and output are rounded together, once: each by itself would be 0.",
  },
  {
    promptTokens: 2_000_000,
    completionTokens: 1_000_000,
    inputPer1m: "3.00",
    outputPer1m: "15.00",
    rate: "0.8",
    charge: "16.80",
    shows: "A large call: 21.00 at list prices.",
  },
  {
    promptTokens: 1_000,
    completionTokens: 125,
    inputPer1m: "0.25",
    outputPer1m: "2.00",
    rate: "0.1",
    charge: "0.00005",
    shows: "A line of a batch at a batch rate of 0.1, half of the model rate.",
  },
  {
    promptTokens: 1_000_000,
    completionTokens: 0,
    inputPer1m: "0.123456789",
    outputPer1m: "0.00",
    rate: "0.987654321",
    charge: "0.121932631",
    shows: "0.121932631112635269 has 18 decimals: rounded once, to nine.",
  },
  {
    promptTokens: 500_000_000_000_000,
    completionTokens: 0,
    inputPer1m: "0.000000001",
    outputPer1m: "0.00",
    rate: "0.000000001",
    charge: "0.000000001",
    shows: "Exactly one half of the last decimal, from the smallest price and rate.",
  },
  {
    promptTokens: 1_000_000,
    completionTokens: 1_000_000,
    inputPer1m: "0",
    outputPer1m: "0",
    rate: "0.8",
    charge: "0.00",
    shows: "A free model charges nothing.",
  },
];

export const unitExamples: readonly UnitExample[] = [
  {
    units: "2",
    unit: "image",
    amount: "0.04",
    rate: "0.5",
    charge: "0.04",
    shows: "Two images at half their list price.",
  },
  {
    units: "1.048576",
    unit: "megapixel",
    amount: "0.02",
    rate: "0.3",
    charge: "0.006291456",
    shows: "An image of 1024 × 1024 pixels: every pixel counts.",
  },
  {
    units: "7.5",
    unit: "second",
    amount: "0.000000001",
    rate: "0.2",
    charge: "0.000000002",
    shows: "Exactly one half of the last decimal: rounded away from zero.",
  },
  {
    units: "1000",
    unit: "character",
    amount: "0.000015",
    rate: "1",
    charge: "0.015",
    shows: "15.00 for 1,000,000 characters is 0.000015 for one.",
  },
];

export const statementExamples: readonly StatementExample[] = [
  {
    opening: "22.2234",
    payments: "100.00",
    charges: "9.721416",
    corrections: "0.00",
    closing: "112.501984",
    shows: "A month without corrections.",
  },
  {
    opening: "112.501984",
    payments: "0.00",
    charges: "0.000000001",
    corrections: "0.75",
    closing: "113.251983999",
    shows: "A charge of 2.00 is corrected by 0.75: the balance rises.",
  },
  {
    opening: "113.251983999",
    payments: "25.00",
    charges: "0.00",
    corrections: "-25.00",
    closing: "113.251983999",
    shows: "A payment that was recorded twice is corrected: the balance falls.",
  },
];
