import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type Browser = {
  path: string;
  /** Besides the usual environment. */
  env: Record<string, string>;
};

const SYSTEM_NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** A browser under test downloads nothing, asks nothing and speaks to the tested addresses alone. */
export const CHROMIUM_FLAGS = [
  ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/**
 * A Chromium to test in: `CHROMIUM_PATH`, else the system's, else Debian's package (installed here when this is
 * root in CI), else the one that came from npm. Nothing is ever downloaded from a browser vendor.
 */
export function findChromium(): Browser {
  const configured = process.env.CHROMIUM_PATH;
  if (configured && !existsSync(configured)) throw new Error(`CHROMIUM_PATH names no file: ${configured}`);
  const path = configured || findSystemChromium() || installDebianChromium();
  return path ? { path, env: {} } : unpackNpmChromium();
}

function findSystemChromium(): string | null {
  const folders = (process.env.PATH ?? "").split(":");
  const candidates = SYSTEM_NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return candidates.find((candidate) => existsSync(candidate)) ?? null;
}

function installDebianChromium(): string | null {
  if (process.getuid?.() !== 0 || !process.env.CI || !existsSync("/usr/bin/apt-get")) return null;
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const aptGet = (...args: string[]) => spawnSync("apt-get", args, { env, stdio: "ignore" }).status === 0;
  aptGet("update");
  return aptGet("install", "-y", "--no-install-recommends", "chromium") ? findSystemChromium() : null;
}

/** The npm package unpacks to the temporary folder, and its libraries only where it believes to be in a Lambda. */
export function unpackNpmChromium(): Browser {
  const folder = join(tmpdir(), "gatehouse-chromium");
  mkdirSync(folder, { recursive: true });
  const program = `import("@sparticuz/chromium").then(({ default: c }) => c.executablePath()).then(console.log)`;
  const path = execFileSync("node", ["-e", program], {
    env: { ...process.env, TMPDIR: folder, AWS_EXECUTION_ENV: "AWS_Lambda_nodejs20.x" },
    encoding: "utf8",
  });
  const libraries = [join(folder, "al2023", "lib"), process.env.LD_LIBRARY_PATH].filter(Boolean).join(":");
  return {
    path: path.trim(),
    env: { LD_LIBRARY_PATH: libraries, FONTCONFIG_PATH: join(folder, "fonts") },
  };
}
