import { isIP, type LookupFunction } from "node:net";
import { requestOnce } from "../outbound/request-once";

interface ModelsRequest {
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The checked address to connect to; null if any address of the host will do. */
  readonly address: string | null;
  readonly timeoutMs: number;
}

/** Lists a server's models, which costs nothing. @returns the reply's status. */
export async function askModels({ baseUrl, headers, address, timeoutMs }: ModelsRequest): Promise<number> {
  const lookup = address === null ? undefined : pinAddress(address);
  const { status } = await requestOnce({ url: new URL(`${baseUrl}/models`), headers, lookup, timeoutMs });
  return status;
}

function pinAddress(address: string): LookupFunction {
  const family = isIP(address);
  return (_host, { all }, answer) =>
    all ? answer(null, [{ address, family }]) : answer(null, address, family);
}
