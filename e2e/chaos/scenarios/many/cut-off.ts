import { startCutProxy } from "../../../support/servers/cut-proxy";
import { awayTimes, exceptTakenOver, underLoad } from "../../many/under-load";
import type { Scenario } from "../../scenario";

const CALLS_BEFORE = 60;
const [MIN_CUT_MS, MAX_CUT_MS] = [2_500, 5_000];
/** The gateway whose way to PostgreSQL is cut. */
const CUT_OFF = 0;

export const manyCutOff: Scenario = {
  name: "many-cut-off",
  does: "one of three gateways is cut off from PostgreSQL under load, {size} times: no byte passes, or connections break during a tick; it refuses in time, and each call is booked once",
  full: 12,
  smoke: 2,
  async run(order) {
    let proxy: Awaited<ReturnType<typeof startCutProxy>> | undefined;
    try {
      const { faults, figures } = await underLoad(
        order,
        (_stage, load) =>
          awayTimes(order, load, {
            callsBefore: CALLS_BEFORE,
            gateway: CUT_OFF,
            async away(time) {
              if (time % 2 === 1) return proxy?.breakOff();
              proxy?.cut();
              await Bun.sleep(order.random.between(MIN_CUT_MS, MAX_CUT_MS));
              proxy?.mend();
            },
          }),
        {
          async reachPostgres(url, gateway) {
            if (gateway !== CUT_OFF) return url;
            const { hostname, port, pathname, username } = new URL(url);
            proxy = await startCutProxy({ host: hostname, port: Number(port) });
            return `postgres://${username}@127.0.0.1:${proxy.port}${pathname}`;
          },
        },
      );
      return { faults: exceptTakenOver(faults), figures };
    } finally {
      proxy?.stop();
    }
  },
};
