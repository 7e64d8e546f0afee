import http from "node:http";
import https from "node:https";
import { isIP, type LookupFunction } from "node:net";

/** The provider accepted the request and didn't reply in time. */
export class AnswerTimeout extends Error {}

interface Asked {
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The checked address to connect to; null where any address of the host will do. */
  readonly address: string | null;
  readonly timeoutMs: number;
}

/** Lists a server's models, which costs nothing, and reads only the status. Does not follow redirects. */
export function askModels({ baseUrl, headers, address, timeoutMs }: Asked): Promise<number> {
  const url = new URL(`${baseUrl}/models`);
  const { request } = url.protocol === "https:" ? https : http;
  const pinned: LookupFunction | undefined =
    address === null
      ? undefined
      : (_host, { all }, answer) => {
          const family = isIP(address);
          return all ? answer(null, [{ address, family }]) : answer(null, address, family);
        };
  return new Promise((succeed, fail) => {
    const call = request(url, { headers, agent: false, ...(pinned && { lookup: pinned }) });
    const timer = setTimeout(() => {
      call.destroy();
      fail(new AnswerTimeout(`No answer in ${timeoutMs / 1000} s`));
    }, timeoutMs);
    call.on("response", (reply) => {
      succeed(reply.statusCode ?? 0);
      reply.destroy();
    });
    call.on("error", fail);
    call.on("close", () => clearTimeout(timer));
    call.end();
  });
}
