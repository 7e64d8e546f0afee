import { type Asked, callGateway, type Received } from "./call-gateway";
import type { ProviderScript } from "./provider-script";
import type { Stage } from "./start-stage";

/** A call to make; its nonce and its key come with the connection. */
export interface NextCall extends Omit<Asked, "keyId" | "script"> {
  readonly script: Omit<ProviderScript, "nonce">;
}

/**
 * Calls with each of the stage's keys in turn, each key one call at a time, until there is no next.
 * @returns what was received, in the order the calls ended.
 */
export async function keepCalling(
  { keys, baseUrl }: Pick<Stage, "keys" | "baseUrl">,
  order: {
    /** @param count how many were made before. @returns false when it is enough. */
    next(count: number): NextCall | false;
    /** Waited for after each call. */
    onReceived?(received: Received): Promise<unknown> | void;
    /** What the nonces begin with, where a stage has more than one load. */
    prefix?: string;
    /** After this long a client leaves. */
    patienceMs?: number;
  },
): Promise<Received[]> {
  const all: Received[] = [];
  let count = 0;
  await Promise.all(
    keys.map(async ({ id: keyId, value: key }) => {
      for (let call = order.next(count); call; call = order.next(count)) {
        const nonce = `${order.prefix ?? "n"}${count++}`;
        const asked = { ...call, keyId, script: { ...call.script, nonce } };
        const signal = order.patienceMs === undefined ? null : AbortSignal.timeout(order.patienceMs);
        const received = await callGateway(asked, { baseUrl, key, ...(signal && { signal }) });
        all.push(received);
        await order.onReceived?.(received);
      }
    }),
  );
  return all;
}
