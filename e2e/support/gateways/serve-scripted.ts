import { afterAll, afterEach, beforeAll, beforeEach } from "bun:test";
import {
  type ScriptedProvider,
  scriptedConfiguration,
  startScriptedProvider,
} from "../servers/scripted-provider";
import { type ServedGateway, serveGateway } from "./serve-gateway";

type Options = Pick<
  NonNullable<Parameters<typeof serveGateway>[0]>,
  "isExpectedFault" | "hasRunningClock" | "balance"
>;

interface Scripted {
  readonly provider: ScriptedProvider;
  readonly gateway: ServedGateway;
}

/** Serves each test of a file its own gateway, whose model `fake` is answered by a scripted provider. */
export function serveScriptedForEach(take: (served: Scripted) => void, options: Options = {}): void {
  let served: Scripted;
  beforeEach(async () => {
    const provider = startScriptedProvider();
    const gateway = await serveGateway({ config: scriptedConfiguration(provider), ...options });
    served = { provider, gateway };
    take(served);
  });
  afterEach(async () => {
    await served.gateway.close();
    await served.provider.stop();
  });
}

/** Serves all tests of a file one gateway, configured for a scripted provider that forgets each test's visits. */
export function serveScriptedForAll(
  configure: (provider: ScriptedProvider) => string,
  take: (served: Scripted) => void,
  options: Options = {},
): void {
  let served: Scripted;
  beforeAll(async () => {
    const provider = startScriptedProvider();
    served = { provider, gateway: await serveGateway({ config: configure(provider), ...options }) };
    take(served);
  });
  beforeEach(() => {
    served.provider.visits.length = 0;
  });
  afterAll(async () => {
    await served.gateway.close();
    await served.provider.stop();
  });
}
