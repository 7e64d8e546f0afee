import { expect, test } from "bun:test";
import { parseConnections } from "./socket-table";

const row = (local: string, remote: string, state = "01", inode = "85462") =>
  `  34: ${local} ${remote} ${state} 00000000:00000000 00:00000000 00000000     0        0 ${inode} 1 000000004facf87f 302 0 0 10 -1`;

test("connections are those of the port that stand and were accepted, by whom they are from", () => {
  const table = [
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode",
    row("0100007F:1F90", "0200007F:A611"),
    row("0100007F:1F90", "00000000:0000", "0A"),
    row("0100007F:1F90", "0200007F:A612", "06"),
    row("0100007F:1F90", "0200007F:A613", "01", "0"),
    row("0200007F:A611", "0100007F:1F90"),
    row("00000000000000000000000001000000:1F90", "B80D012000000100000000000500000A:C001"),
    row("0000000000000000FFFF00000100007F:1F90", "0000000000000000FFFF00000300000A:C002"),
  ];
  expect(parseConnections(table.join("\n"), 8080)).toEqual([
    { address: "127.0.0.2", callerPort: 0xa611, inode: "85462" },
    { address: "2001:db8:1:0:0:0:a00:5", callerPort: 0xc001, inode: "85462" },
    { address: "10.0.0.3", callerPort: 0xc002, inode: "85462" },
  ]);
});
