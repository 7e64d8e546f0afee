import { afterAll, afterEach, beforeAll, beforeEach, expect } from "bun:test";
import { type ServedGateway, serveGateway } from "./serve-gateway";

type Options = Parameters<typeof serveGateway>[0];
type Take = (gateway: ServedGateway) => void | Promise<void>;

/** Serves all tests of a file one gateway, which `take` gets before the first, and expects that it met no fault. */
export function serveForAll(take: Take, options?: Options): void {
  let gateway: ServedGateway;
  beforeAll(async () => {
    gateway = await serveGateway(options);
    await take(gateway);
  });
  afterAll(() => closeWithoutFaults(gateway));
}

/** Serves each test of a file its own gateway, which `take` gets first, and expects that it met no fault. */
export function serveForEach(take: Take, options?: Options): void {
  let gateway: ServedGateway;
  beforeEach(async () => {
    gateway = await serveGateway(options);
    await take(gateway);
  });
  afterEach(() => closeWithoutFaults(gateway));
}

async function closeWithoutFaults(gateway: ServedGateway): Promise<void> {
  try {
    expect(gateway.faults).toEqual([]);
  } finally {
    await gateway.close();
  }
}
