import { AddressNotAllowed, ConnectTimeout } from "@/lib/gateway/http/outbound/allowed-addresses";
import { ConnectionLost } from "@/lib/gateway/http/outbound/http1/connection";
import { MalformedReply } from "@/lib/gateway/http/outbound/http1/reply-parser";
import { ResponseTimeout } from "@/lib/gateway/http/outbound/server-connection";
import {
  OrderNotSent,
  OrderRefused,
  OutputMissing,
  UnusableOutput,
  UnusableReply,
} from "@/lib/gateway/providers/media-client";

const kinds = [
  AddressNotAllowed,
  ConnectionLost,
  ConnectTimeout,
  MalformedReply,
  OrderNotSent,
  OrderRefused,
  OutputMissing,
  ResponseTimeout,
  UnusableOutput,
  UnusableReply,
];

const MESSAGE = /^(The provider\b|\S+ answered \d)/;
const CALL = /^(req|task)_/;

/** Whether a logged fault is a provider's: words about a call or a task, or an error of the gateway's that names it. */
export function isProviderFault(fault: unknown, where: string): boolean {
  if (typeof fault === "string") return CALL.test(where);
  if (kinds.some((kind) => fault instanceof kind)) return true;
  return fault instanceof Error && MESSAGE.test(fault.message);
}
