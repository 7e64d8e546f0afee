import type { Socket } from "bun";
import type { IncomingRequest } from "../../../incoming-request";
import { Refusal } from "../../../refusal";
import { readBody } from "../../../testing/read-body";
import { KnownResponse } from "../../known-response";
import { Connection } from "../connection";
import type { ConnectionServer } from "../connection-server";
import type { RequestHead } from "../request-head";

/** A request as the handler read it, or the refusal of one. */
export interface RecordedRequest {
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
    const writtenBytes = Math.min(length, this.room);
    this.room -= writtenBytes;
    this.written += Buffer.from(bytes.subarray(offset, offset + writtenBytes)).toString("latin1");
    return writtenBytes;
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
  const requests: RecordedRequest[] = [];
  const faults: unknown[] = [];
  const socket = new FakeSocket();
  let isGone = false;
  const server = {
    isStopping: false,
    seconds: 0,
    async answer(request: IncomingRequest) {
      const { method, url, headers } = request;
      const head = headers as RequestHead;
      const requestIndex = requests.push({ method, url, head }) - 1;
      try {
        const body = Buffer.from(await readBody(request)).toString("latin1");
        requests[requestIndex] = { method, url, head, body };
      } catch (error) {
        const refusedStatus = error instanceof Refusal ? error.status : 400;
        requests[requestIndex] = { method, url, head, isBroken: true, refused: refusedStatus };
        return new KnownResponse([], { status: refusedStatus, headers: {} });
      }
      return answer(request);
    },
    refuse(fault: unknown) {
      if (!(fault instanceof Refusal)) throw fault;
      requests.push({ refused: fault.status });
      return new KnownResponse([], { status: fault.status, headers: {} });
    },
    logFault: (error: unknown) => void faults.push(error),
    forget: () => {
      isGone = true;
    },
  } satisfies ConnectionServer;
  const connection = new Connection(socket as unknown as Socket<unknown>, server, "192.0.2.1");
  return {
    requests,
    faults,
    socket,
    server,
    connection,
    isGone: () => isGone,
    /** Copies each piece, so kept bytes don't alias the socket's buffer. */
    receive(text: string) {
      if (!socket.isEnded)
        connection.onBytes(Buffer.from(new Uint8Array(Buffer.from(text, "latin1")).buffer));
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
