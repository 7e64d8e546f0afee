import type { Socket } from "bun";

/** The destination of a connection. */
export interface Destination {
  /** An IP address, or a host name. */
  readonly address: string;
  readonly port: number;
  /** The name that the certificate must have; null for no TLS. */
  readonly serverName: string | null;
  /** Trusted certificates, instead of the machine's. */
  readonly ca?: string | undefined;
}

/** Receives the events of a connection. */
interface ConnectionEvents {
  onBytes(bytes: Buffer<ArrayBuffer>): void;
  onDrain(): void;
  onClose(): void;
}

/** Long enough for a handshake over a very slow network. */
const HANDSHAKE_MS = 10_000;
/** The ALPN list: HTTP/1.1 only. */
const HTTP_1_1 = Buffer.from("\x08http/1.1");

/** A connection in the making: it is ready once it is open and its peer is authenticated. */
interface PendingConnection {
  events: ConnectionEvents | null;
  readonly isSecure: boolean;
  readonly open: (socket: Socket<PendingConnection>) => ConnectionEvents;
  readonly fail: (error: unknown) => void;
  timer?: ReturnType<typeof setTimeout>;
}

function onOpen(socket: Socket<PendingConnection>): void {
  clearTimeout(socket.data.timer);
  socket.data.events ??= socket.data.open(socket);
}

const handlers = {
  open(socket: Socket<PendingConnection>) {
    socket.setNoDelay(true);
    const { data } = socket;
    if (!data.isSecure) return onOpen(socket);
    data.timer = setTimeout(() => {
      data.fail(
        new TlsFailed("ERR_TLS_HANDSHAKE_TIMEOUT", `The TLS handshake took longer than ${HANDSHAKE_MS} ms`),
      );
      socket.terminate();
    }, HANDSHAKE_MS);
  },
  /** Bun has verified chain, dates and name, and closes the connection itself if one is wrong. */
  handshake(socket: Socket<PendingConnection>, isTrusted: boolean, error: Error | null) {
    if (isTrusted && !error) return onOpen(socket);
    const code = error && "code" in error ? String(error.code) : "ERR_TLS_CERT";
    socket.data.fail(
      new TlsFailed(
        code === "EPROTO" ? "ERR_TLS_HANDSHAKE" : code,
        error?.message ?? "The certificate is not accepted",
      ),
    );
    socket.terminate();
  },
  data: (socket: Socket<PendingConnection>, bytes: Buffer<ArrayBuffer>) => socket.data.events?.onBytes(bytes),
  drain: (socket: Socket<PendingConnection>) => socket.data.events?.onDrain(),
  close({ data }: Socket<PendingConnection>) {
    clearTimeout(data.timer);
    if (data.events) data.events.onClose();
    else data.fail(new TlsFailed("ERR_TLS_HANDSHAKE", "The connection was closed within the TLS handshake"));
  },
  error() {},
};

/** Nothing was sent: the peer has another identity, or doesn't speak TLS. */
class TlsFailed extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Opens a connection. Resolves once a request may be sent, which with TLS is after the certificate was verified.
 * Rejects with the network's error, or with TlsFailed.
 * @param open returns the handler of the connection's further events.
 */
export function connect(
  { address, port, serverName, ca }: Destination,
  open: (socket: Socket<unknown>) => ConnectionEvents,
): Promise<void> {
  return new Promise((resolve, fail) => {
    const onConnect = (socket: Socket<PendingConnection>) => {
      resolve();
      return open(socket as Socket<unknown>);
    };
    const data: PendingConnection = { events: null, isSecure: serverName !== null, open: onConnect, fail };
    const tls =
      serverName === null
        ? {}
        : { tls: { serverName, rejectUnauthorized: true, ALPNProtocols: HTTP_1_1, ca } };
    Bun.connect<PendingConnection>({
      hostname: address,
      port,
      data,
      ...tls,
      socket: handlers,
    } as never).catch(fail);
  });
}
