import type { Socket } from "bun";
import { KnownResponse } from "../http/known-response";
import type { IncomingRequest } from "../incoming-request";
import { Refusal } from "../refusal";
import { Connection } from "./connection";
import type { ConnectionServer } from "./connection-server";
import type { RequestHead } from "./request-head";

/** A request as the handler read it, or the refusal of one. */
export interface Recorded {
  readonly method?: string;
  readonly url?: string;
  readonly body?: string;
  readonly head?: RequestHead;
  /** Whether its body broke off, or could not be read. */
  readonly isBroken?: boolean;
  readonly refused?: number;
}

/** A socket without a network. */
export class FakeSocket {
  written = "";
  isEnded = false;
  isPaused = false;
  /** How many bytes it takes until `drained`. */
  room = Number.POSITIVE_INFINITY;

  write(bytes: Uint8Array, offset = 0, length = bytes.byteLength): number {
    const taken = Math.min(length, this.room);
    this.room -= taken;
    this.written += Buffer.from(bytes.subarray(offset, offset + taken)).toString("latin1");
    return taken;
  }

  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
  }

  shutdown(): void {
    this.isEnded = true;
  }

  end(): void {
    this.isEnded = true;
  }

  terminate(): void {
    this.isEnded = true;
  }
}

/** A connection without a network, whose requests are recorded and answered. */
export function recordRequests(answer: (request: IncomingRequest) => Promise<Response> = () => respondOk()) {
  const recorded: Recorded[] = [];
  const faults: unknown[] = [];
  const socket = new FakeSocket();
  let isGone = false;
  const server = {
    isStopping: false,
    seconds: 0,
    async answer(request: IncomingRequest) {
      const { method, url, headers } = request;
      const head = headers as RequestHead;
      const place = recorded.push({ method, url, head }) - 1;
      try {
        const body = Buffer.from(await request.bytes()).toString("latin1");
        recorded[place] = { method, url, head, body };
      } catch (error) {
        const refused = error instanceof Refusal ? error.status : 400;
        recorded[place] = { method, url, head, isBroken: true, refused };
        return new KnownResponse([], { status: refused, headers: {} });
      }
      return answer(request);
    },
    refuse(fault: unknown) {
      if (!(fault instanceof Refusal)) throw fault;
      recorded.push({ refused: fault.status });
      return new KnownResponse([], { status: fault.status, headers: {} });
    },
    logFault: (error: unknown) => void faults.push(error),
    forget: () => {
      isGone = true;
    },
  } satisfies ConnectionServer;
  const connection = new Connection(socket as unknown as Socket<unknown>, server, "192.0.2.1");
  return {
    recorded,
    faults,
    socket,
    server,
    connection,
    isGone: () => isGone,
    /** Each piece is copied, so that what is kept of it is its own. */
    receive(text: string) {
      if (!socket.isEnded)
        connection.received(Buffer.from(new Uint8Array(Buffer.from(text, "latin1")).buffer));
    },
  };
}

export function respondOk(body = "ok"): Promise<Response> {
  return Promise.resolve(new KnownResponse([Buffer.from(body)], { headers: {} }));
}

/** Lets everything happen that needs no network. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
}
