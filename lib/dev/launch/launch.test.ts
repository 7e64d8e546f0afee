import { expect, test } from "bun:test";
import { describeFirstKey, describeRunning } from "@/lib/dev/launch/launch";

/** Launches a one-line program that either becomes ready after its first output or refuses to start. */
const script = (program: string, isRefused: boolean) => `
  import { launch } from "@/lib/dev/launch/launch";
  import { RefusedStart } from "@/lib/dev/launch/program";
  import { startProgram } from "@/lib/dev/launch/program";
  let starts = 0;
  process.exit(await launch(async ({ run }) => {
    await run(() => {
      starts++;
      const program = startProgram({ name: "gateway", command: [process.execPath, "-e", ${JSON.stringify(program)}], env: process.env });
      const ready = Promise.withResolvers();
      program.showOutput((line) => { console.log(line); ready.resolve(); });
      return { program, ready: ${isRefused ? "Promise.reject(new RefusedStart(['Its setting is wrong.']))" : "ready.promise"} };
    });
  }));`;
const untilKilled = "console.log('pid ' + process.pid); setInterval(() => {}, 1000)";

function launchScript(program: string, isRefused = false) {
  const child = Bun.spawn([process.execPath, "--no-orphans", "-e", script(program, isRefused)], {
    stdout: "pipe",
    stderr: "pipe",
  });
  let outputText = "";
  const decoder = new TextDecoder();
  const waiters: { pattern: RegExp; resolve: (match: RegExpExecArray) => void }[] = [];
  const take = async (output: ReadableStream<Uint8Array>) => {
    for await (const chunk of output) {
      outputText += decoder.decode(chunk, { stream: true });
      for (const { pattern, resolve } of waiters) {
        const match = pattern.exec(outputText);
        if (match) resolve(match);
      }
    }
  };
  void take(child.stdout);
  const outputRead = take(child.stderr);
  return {
    child,
    said: (pattern: RegExp) =>
      new Promise<RegExpExecArray>((resolve) => {
        const match = pattern.exec(outputText);
        if (match) resolve(match);
        else waiters.push({ pattern, resolve });
      }),
    end: async () => {
      const code = await child.exited;
      await outputRead;
      return { code, written: outputText };
    },
  };
}

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test("a program that was killed is started again, and both signals to stop end everything", async () => {
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    const { child, said, end } = launchScript(untilKilled);
    const [, first] = await said(/pid (\d+)/);
    process.kill(Number(first), "SIGKILL");
    const [, second] = await said(
      /ended by SIGKILL\. Starting it again in 1 s\.[^]*pid (\d+)[^]*The gateway answers again\./,
    );
    child.kill(signal);
    const { code } = await end();
    expect([code, isAlive(Number(second))]).toEqual([0, false]);
  }
}, 20_000);

test("a stop during the pause before a restart prevents the restart", async () => {
  const { child, said, end } = launchScript(untilKilled);
  const [, first] = await said(/pid (\d+)/);
  process.kill(Number(first), "SIGKILL");
  await said(/Starting it again/);
  child.kill("SIGINT");
  const { code, written } = await end();
  expect([code, written.match(/pid/g)?.length]).toEqual([0, 1]);
}, 20_000);

test("a program that refuses its first start ends the launch with its words", async () => {
  const { code, written } = await launchScript("0", true).end();
  expect([code, written.trim()]).toEqual([1, "Its setting is wrong."]);
}, 20_000);

const addresses = { consoleUrl: "http://127.0.0.1:3000", gatewayUrl: "http://127.0.0.1:8080" };
const text = (gateway: Parameters<typeof describeRunning>[0]["gateway"]) =>
  describeRunning({ ...addresses, gateway }).join("\n");

test("a first start shows the link, the key, the base address and the data", () => {
  const lines = text({ adminKey: "gk_admin_x", signInToken: "once", data: "/srv/gatehouse" });
  expect(lines).toContain("http://127.0.0.1:3000/sign-in#token=once");
  expect(lines).toContain("gk_admin_x");
  expect(lines).toContain("http://127.0.0.1:8080/v1");
  expect(lines).toContain("/srv/gatehouse");
});

test("the first admin key is shown by itself, before what takes long", () => {
  expect(describeFirstKey({ adminKey: "gk_admin_x" }).join()).toContain("gk_admin_x");
  expect(describeFirstKey({})).toEqual([]);
});

test("a start after which nobody has got in shows another link, without the key", () => {
  const lines = text({ signInToken: "another", data: "/srv/gatehouse" });
  expect(lines).toContain("/sign-in#token=another");
  expect(lines).not.toContain("Admin key");
});

test("a later start, which has no link to show, says how to get one", () => {
  expect(text({ data: "/srv/gatehouse" })).toContain("npm run sign-in-link");
});

test("for a gateway elsewhere nothing is claimed about its data or its keys", () => {
  const lines = text(null);
  expect(lines).toContain("http://127.0.0.1:8080/v1");
  expect(lines).not.toMatch(/Data|Sign in|Admin key/);
});
