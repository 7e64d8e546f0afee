import { afterAll, afterEach, beforeAll, beforeEach, expect } from "bun:test";
import { findDoctorFaults } from "../stored-data/find-doctor-faults";
import { type ServedGateway, serveGateway } from "./serve-gateway";

type Take = (gateway: ServedGateway) => void | Promise<void>;

type Options = Parameters<typeof serveGateway>[0] & {
  /** Whether doctor must find no fault in the store at the end. */
  readonly isExamined?: boolean;
};

/** Serves all tests of a file one gateway, which `take` gets before the first. */
export function serveForAll(take: Take, { isExamined = false, ...options }: Options = {}): void {
  let gateway: ServedGateway;
  beforeAll(async () => {
    gateway = await serveGateway(options);
    await take(gateway);
  });
  afterAll(() => close(gateway, { isExamined }));
}

/** Serves each test of a file its own gateway, which `take` gets first. */
export function serveForEach(take: Take, { isExamined = false, ...options }: Options = {}): void {
  let gateway: ServedGateway;
  beforeEach(async () => {
    gateway = await serveGateway(options);
    await take(gateway);
  });
  afterEach(() => close(gateway, { isExamined }));
}

async function close(gateway: ServedGateway, { isExamined }: { isExamined: boolean }): Promise<void> {
  try {
    if (isExamined) expect(await findDoctorFaults(gateway)).toEqual([]);
  } finally {
    await gateway.close();
  }
}
