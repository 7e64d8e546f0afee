import type { IncomingRequest } from "../../incoming-request";
import type { SharedConnection } from "./connection-shares";

/** The server that a connection belongs to. */
export interface ConnectionServer {
  readonly isStopping: boolean;
  /** Seconds on a clock that never steps back. */
  readonly seconds: number;
  answer(request: IncomingRequest, peer: string): Promise<Response>;
  /** The reply to a request that can't be read. */
  refuse(fault: unknown): Response;
  logFault(error: unknown): void;
  forget(connection: SharedConnection): void;
}
