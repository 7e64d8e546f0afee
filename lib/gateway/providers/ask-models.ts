import http from "node:http";
import https from "node:https";
import { isIP, type LookupFunction } from "node:net";

/** A provider that answers, and says nothing in time. */
export class AnswerTimeout extends Error {}

interface Asked {
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Where the host has to be connected to, as it was checked; null where it may be anywhere. */
  readonly address: string | null;
  readonly timeoutMs: number;
}

/** Asks a server for its models, which costs nothing, and reads no more than the status. Redirects are replies like others. */
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
