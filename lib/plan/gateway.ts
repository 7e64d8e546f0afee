import type { ErrorBody } from "@/lib/contract/errors";

/** A fault that is shown as it is, and ends the program with 1, or with 2 where something has moved. */
export class PlanFault extends Error {
  constructor(
    message: string,
    readonly exitCode: 1 | 2 = 1,
  ) {
    super(message);
  }
}

/** Calls the gateway at GATEWAY_URL with the key in GATEHOUSE_KEY. @throws PlanFault */
export async function callGateway<Reply>(
  method: "GET" | "POST",
  path: string,
  body?: object,
): Promise<Reply> {
  const url = process.env.GATEWAY_URL || "http://127.0.0.1:8080";
  const key = process.env.GATEHOUSE_KEY || process.env.GATEHOUSE_ADMIN_KEY;
  if (!key) throw new PlanFault("Set GATEHOUSE_KEY to an admin key, or to a key of your own.");
  const init = {
    method,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  };
  const response = await fetch(`${url.replace(/\/+$/, "")}/v1${path}`, init).catch((error: unknown) => {
    throw new PlanFault(
      `The gateway at ${url} doesn't answer (${String(error)}): set GATEWAY_URL to its address.`,
    );
  });
  const reply: unknown = await response.json().catch(() => null);
  if (response.ok) return reply as Reply;
  const error = (reply as ErrorBody | null)?.error;
  throw new PlanFault(
    error?.message ?? `The gateway answered ${response.status}.`,
    response.status === 412 ? 2 : 1,
  );
}
