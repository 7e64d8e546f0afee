import type { ProviderScript } from "../provider/provider-script";
import type { Stage } from "../start-stage";
import { type ClientCall, callGateway, type Received } from "./call-gateway";

/** A call to make. Its connection adds the nonce and the key. */
export interface NextCall extends Omit<ClientCall, "keyId" | "script"> {
  readonly script: Omit<ProviderScript, "nonce">;
}

/**
 * Calls with all keys of the stage concurrently, one call at a time per key, until `next` returns false.
 * @returns what was received, in the order in which the calls ended.
 */
export async function keepCalling(
  { keys, baseUrl }: Pick<Stage, "keys" | "baseUrl">,
  order: {
    /**
     * @param count the number of calls before this one.
     * @returns false to stop.
     */
    next(count: number): NextCall | false;
    /** Awaited after each call. */
    onReceived?(received: Received): Promise<unknown> | void;
    /** The address to call now, where it isn't always the stage's. */
    chooseBaseUrl?(): string;
    /** The beginning of the nonces, for stages with more than one load. */
    prefix?: string;
    /** The time after which a client leaves. */
    timeoutMs?: number;
  },
): Promise<Received[]> {
  const all: Received[] = [];
  let count = 0;
  await Promise.all(
    keys.map(async ({ id: keyId, value: key }) => {
      for (let call = order.next(count); call; call = order.next(count)) {
        const nonce = `${order.prefix ?? "n"}${count++}`;
        const asked = { ...call, keyId, script: { ...call.script, nonce } };
        const signal = order.timeoutMs === undefined ? null : AbortSignal.timeout(order.timeoutMs);
        const received = await callGateway(asked, {
          baseUrl: order.chooseBaseUrl?.() ?? baseUrl,
          key,
          ...(signal && { signal }),
        });
        all.push(received);
        await order.onReceived?.(received);
      }
    }),
  );
  return all;
}
