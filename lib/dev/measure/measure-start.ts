const TIMEOUT_MS = 10 * 60_000;

type MeasuredStart = {
  /** The time from the first command until both addresses answer. */
  seconds: number;
  consoleUrl: string;
  signInUrl: string;
  /** The process of `command`. */
  pid: number;
  stop: () => Promise<void>;
};

export type StartOptions = { folder: string; dataFolder: string; port: number; gatewayPort: number };

/** Runs a shell command that ends in `npm start` and waits for its last lines, as a person would. */
export async function measureStart(command: string, options: StartOptions): Promise<MeasuredStart> {
  const startMs = performance.now();
  const child = Bun.spawn(["sh", "-c", command], {
    cwd: options.folder,
    env: {
      ...process.env,
      PORT: String(options.port),
      GATEWAY_PORT: String(options.gatewayPort),
      GATEHOUSE_DATA: options.dataFolder,
    },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
  const timeout = setTimeout(() => child.kill(), TIMEOUT_MS);
  const startOutput = await readUntil(child.stdout, "Ctrl-C");
  const seconds = (performance.now() - startMs) / 1000;
  clearTimeout(timeout);
  const consoleUrl = /Console +(\S+)/.exec(startOutput)?.[1];
  if (!consoleUrl) throw new Error(`"${command}" did not start:\n${startOutput}`);
  return {
    seconds,
    consoleUrl,
    signInUrl: /Sign in +(http\S+)/.exec(startOutput)?.[1] ?? `${consoleUrl}/sign-in`,
    pid: child.pid,
    async stop() {
      child.kill("SIGTERM");
      await child.exited;
    },
  };
}

/** Resolves at the mark or the end, and keeps reading: a full or closed pipe would stop the program. */
function readUntil(output: ReadableStream<Uint8Array>, mark: string): Promise<string> {
  const match = Promise.withResolvers<string>();
  const decoder = new TextDecoder();
  const readAll = async () => {
    let written = "";
    for await (const chunk of output) {
      written += decoder.decode(chunk, { stream: true });
      if (written.includes(mark)) match.resolve(written);
    }
    match.resolve(written);
  };
  readAll().catch(match.reject);
  return match.promise;
}
