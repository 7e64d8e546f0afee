import { loadMany } from "../../many/load-many";
import { startManyGateways } from "../../many/start-many-gateways";
import type { Outcome, Scenario, ScenarioOrder } from "../../scenario";

const CONNECTIONS = 4;
const MAX_REPLIES_BETWEEN = 100;
const LOOK_MS = 100;

/** The next version. */
const NEXT = ["./e2e/chaos/many/next-version.ts"];

export const manyRestart: Scenario = {
  name: "many-restart",
  does: "three gateways behind a load balancer, one after the other asked to stop under load, {size} times: no call is lost",
  full: 12,
  smoke: 3,
  run: (order) => restartBehindBalancer(order, () => []),
};

export const manyVersions: Scenario = {
  name: "many-versions",
  does: "three gateways behind a load balancer, one after the other replaced by the next version and back, {size} times: no call is lost",
  full: 12,
  smoke: 4,
  run: (order) => restartBehindBalancer(order, (stop) => (Math.floor(stop / 3) % 2 === 0 ? NEXT : [])),
};

/** @param choosePreloads what a gateway is started again with: the version that it is of. */
async function restartBehindBalancer(
  { size, random }: ScenarioOrder,
  choosePreloads: (stop: number) => readonly string[],
): Promise<Outcome> {
  const stage = await startManyGateways({ keyCount: CONNECTIONS, env: { GATEHOUSE_DRAIN_SECONDS: "1" } });
  const balancer = balance(stage.gateways.map(({ url }) => url));
  const load = loadMany(stage, { random }, () => `${balancer.choose()}/v1`);
  const faults: string[] = [];
  try {
    for (let stop = 0; stop < size; stop++) {
      await load.goesOn(random.between(1, MAX_REPLIES_BETWEEN));
      await stage.gateways[stop % stage.gateways.length]?.restart("SIGTERM", choosePreloads(stop));
    }
    await load.goesOn(MAX_REPLIES_BETWEEN);
    const calls = await load.end();
    const lost = calls.filter(({ isComplete }) => !isComplete);
    for (const { status, text } of lost) faults.push(`A call was answered ${status}: ${text.slice(-200)}`);
    await stage.settle();
    const { faults: missed, figures } = await stage.reconcile(calls);
    if (figures.interrupted > 0) faults.push(`${figures.interrupted} calls were interrupted`);
    return { faults: [...faults, ...missed], figures: { stops: size, ...figures } };
  } finally {
    void load.end();
    balancer.end();
    await stage.stop();
  }
}

/** Chooses a gateway after the other among those that say that they are ready, as load balancers do. */
function balance(urls: readonly string[]) {
  let ready = urls;
  let next = 0;
  const look = async () => {
    const answers = await Promise.all(urls.map((url) => fetch(`${url}/readyz`).then(isOk, () => false)));
    ready = urls.filter((_url, index) => answers[index]);
  };
  const timer = setInterval(() => void look(), LOOK_MS);
  return { choose: () => ready[next++ % ready.length] ?? "", end: () => clearInterval(timer) };
}

const isOk = ({ ok }: Response) => ok;
