import type { AddressInfo } from "node:net";
import { createServer, type Socket } from "node:net";

interface ReceivedMail {
  readonly from: string;
  readonly to: string;
  readonly text: string;
}

/** A mail server that records its mails (RFC 5321, the commands that a client needs). */
export async function serveMail() {
  const waiting: ((mail: ReceivedMail) => void)[] = [];
  const received: ReceivedMail[] = [];
  const keep = (mail: ReceivedMail) => {
    const next = waiting.shift();
    if (next) next(mail);
    else received.push(mail);
  };
  const server = createServer((socket) => converse(socket, keep));
  await new Promise<void>((done) => {
    server.listen(0, "127.0.0.1", done);
  });
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Resolves with the oldest unread mail, once there is one. */
    next: () =>
      new Promise<ReceivedMail>((resolve) => {
        const mail = received.shift();
        if (mail) resolve(mail);
        else waiting.push(resolve);
      }),
    /** The number of unread mails. */
    unread: () => received.length,
    close: () => new Promise((done) => server.close(done)),
  };
}

function converse(socket: Socket, keep: (mail: ReceivedMail) => void): void {
  let [unread, from, to]: [string, string, string] = ["", "", ""];
  let isData = false;
  socket.on("error", () => socket.destroy());
  socket.on("data", (bytes) => {
    unread += bytes.toString("latin1");
    for (;;) {
      const end = unread.indexOf(isData ? "\r\n.\r\n" : "\r\n");
      if (end < 0) return;
      const said = unread.slice(0, end);
      unread = unread.slice(end + (isData ? 5 : 2));
      if (isData) keep({ from, to, text: said.replaceAll("=\r\n", "").replaceAll("=3D", "=") });
      const [command = ""] = said.toUpperCase().split(/[ :]/);
      if (!isData && command === "MAIL") from = said;
      if (!isData && command === "RCPT") to = said;
      const starts = !isData && command === "DATA";
      socket.write(starts ? "354 Go on\r\n" : `${!isData && command === "QUIT" ? 221 : 250} OK\r\n`);
      isData = starts;
    }
  });
  socket.write("220 Test\r\n");
}
